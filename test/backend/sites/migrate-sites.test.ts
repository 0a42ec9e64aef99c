import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrateSites } from '../../../src/backend/sites/migrate-sites.ts';
import { writeSite } from '../../../src/backend/sites/site-file.ts';
import { countPendingMigrations } from '../../../src/backend/store/database/open-current-store.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { type SchemaMigration, schemaMigrations } from '../../../src/backend/store/migrations/migrate.ts';
import type { MigrationProgress } from '../../../src/contract/index.ts';

let home: string;
const storePath = (site: string, kind: 'books' | 'cache') => join(home, 'sites', site, `${kind}.db`);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tieout-migrate-'));
  for (const site of ['harbor', 'lumen']) {
    mkdirSync(join(home, 'sites', site), { recursive: true });
    writeSite(home, {
      ...{ site, title: site, base_url: `https://${site}.example.com`, format: 'json', currency: 'EUR' },
      ...{ service_details: null, demo: false, created_at: '2026-03-01T00:00:00.000Z' },
    });
  }
  for (const kind of ['books', 'cache'] as const) closeStore(openStore(storePath('harbor', kind), kind));
  closeStore(openStore(storePath('lumen', 'books'), 'books'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Runs `work` as a later version with two more migrations of the books and one of the cache. */
function asLaterVersion(work: () => void): void {
  const books = schemaMigrations.books as SchemaMigration[];
  const cache = schemaMigrations.cache as SchemaMigration[];
  books.push(
    { up: (db) => db.exec('CREATE TABLE one (x)') },
    { up: (db) => db.exec('CREATE TABLE two (x)') },
  );
  cache.push({ up: (db) => db.exec('CREATE TABLE three (x)') });
  try {
    work();
  } finally {
    books.splice(-2);
    cache.pop();
  }
}

function migrate(): MigrationProgress[] {
  const reported: MigrationProgress[] = [];
  migrateSites(home, (progress) => reported.push(progress));
  return reported;
}

test('reports each migration of all sites, and nothing once they are current', () => {
  asLaterVersion(() => {
    // Two of each of the two books, and one of the only cache.
    const total = 5;
    expect(migrate()).toEqual([0, 1, 2, 3, 4, 5].map((done) => ({ done, total })));
    expect(countPendingMigrations(storePath('lumen', 'books'), 'books')).toBe(0);
    expect(migrate()).toEqual([]);
  });
});

test('does not report or create databases if every database is current', () => {
  expect(migrate()).toEqual([]);
  expect(countPendingMigrations(storePath('lumen', 'cache'), 'cache')).toBe(0);
});

test('continues with the other databases after one that cannot be migrated', () => {
  asLaterVersion(() => {
    const db = openStore(storePath('lumen', 'books'), 'books');
    db.pragma('user_version = 1');
    closeStore(db);
    expect(migrate().at(-1)).toEqual({ done: 5, total: 5 });
    // Its tables exist already, so its first migration fails.
    expect(countPendingMigrations(storePath('lumen', 'books'), 'books')).toBe(2);
    expect(countPendingMigrations(storePath('harbor', 'books'), 'books')).toBe(0);
  });
});

test('does not migrate a file that is not a database', () => {
  writeFileSync(storePath('lumen', 'books'), 'not a database');
  asLaterVersion(() => expect(migrate().at(-1)).toEqual({ done: 3, total: 3 }));
});
