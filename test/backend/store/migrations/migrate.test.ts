import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeStore, openStore } from '../../../../src/backend/store/database/open-store.ts';
import {
  latestVersion,
  type Migration,
  migrate,
  migrations,
  type StoreKind,
  versionOf,
} from '../../../../src/backend/store/migrations/migrate.ts';
import { connect, inTransaction, type WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { getThrown } from '../get-thrown.ts';
import { createTemporaryFolder, openTemporaryStore } from '../temporary-store.ts';
import { createWebhook } from '../test-rows.ts';

const kinds: StoreKind[] = ['cache', 'books'];
/** Expected schema of a version. Written by `vitest -u`; never changed after the version's release. */
const getSchemaFile = (kind: StoreKind, version: number) =>
  fileURLToPath(new URL(`./golden/${kind}-${String(version).padStart(4, '0')}.sql`, import.meta.url));

/** Returns the schema's statements, one per line, without the tables that SQLite and FTS5 create themselves. */
function readSchema(db: WritableDb): string {
  const statements = db
    .prepare<[], string>(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
       AND name NOT GLOB '*_fts_*' ORDER BY type, name`,
    )
    .pluck()
    .all();
  return `${statements
    .map((sql) =>
      sql
        .replace(/--[^\n]*/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .join(';\n')};\n`;
}

describe.each(kinds)('%s.db', (kind) => {
  it.each(migrations[kind].map((_, at) => at + 1))('version %i has the expected schema', async (version) => {
    const db = connect(':memory:') as WritableDb;
    migrate(db, kind, version);
    expect(versionOf(db)).toBe(version);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    await expect(readSchema(db)).toMatchFileSnapshot(getSchemaFile(kind, version));
    db.close();
  });

  it('opens at the latest version', () => {
    expect(versionOf(openTemporaryStore(kind))).toBe(migrations[kind].length);
    expect(latestVersion(kind)).toBe(migrations[kind].length);
  });

  it('has the same schema when it is migrated one version at a time', () => {
    const db = connect(':memory:') as WritableDb;
    for (let version = 1; version <= latestVersion(kind); version++) migrate(db, kind, version);
    expect(readSchema(db)).toBe(readSchema(openTemporaryStore(kind)));
    db.close();
  });

  it('is rejected and left unchanged if a newer version of Tieout wrote it', () => {
    const path = join(createTemporaryFolder(), `${kind}.db`);
    const db = openStore(path, kind);
    db.pragma(`user_version = ${latestVersion(kind) + 3}`);
    closeStore(db);
    const before = readFileSync(path);
    for (const open of [() => openStore(path, kind), () => openStore(path, kind, { readonly: true })]) {
      expect(getThrown(open)).toMatchObject({
        code: 'storage',
        message: expect.stringContaining('newer Tieout'),
        data: { hint: expect.stringContaining('Install the newer Tieout') },
      });
    }
    expect(readFileSync(path)).toEqual(before);
  });
});

it('rolls back a migration that fails', () => {
  const db = connect(':memory:') as WritableDb;
  db.exec('CREATE TABLE webhook (id INTEGER)');
  expect(() => migrate(db, 'cache')).toThrow(/already exists/);
  expect(versionOf(db)).toBe(0);
  expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(1);
  db.close();
});

it('leaves an up-to-date database unchanged', () => {
  const db = openTemporaryStore('cache');
  inTransaction(db, () => upsertWebhooks(db, [createWebhook()], 1));
  migrate(db, 'cache');
  expect(db.prepare('SELECT count(*) FROM webhook').pluck().get()).toBe(1);
});

describe('a later migration', () => {
  const added = migrations.cache as Migration[];
  beforeEach(() => added.push({ up: (db) => db.exec('ALTER TABLE subscription ADD COLUMN note TEXT') }));
  afterEach(() => added.pop());

  it('upgrades an older database and keeps its rows', () => {
    const db = connect(':memory:') as WritableDb;
    migrate(db, 'cache', 1);
    db.exec('INSERT INTO subscription (subscription_id) VALUES (7)');
    migrate(db, 'cache');
    expect(versionOf(db)).toBe(2);
    expect(db.prepare('SELECT subscription_id, note FROM subscription').all()).toEqual([
      { subscription_id: 7, note: null },
    ]);
    db.close();
  });
});
