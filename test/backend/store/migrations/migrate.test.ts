import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeStore, openStore } from '../../../../src/backend/store/database/open-store.ts';
import {
  getLatestSchemaVersion,
  getSchemaVersion,
  migrateStore,
  type SchemaMigration,
  type StoreKind,
  schemaMigrations,
} from '../../../../src/backend/store/migrations/migrate.ts';
import {
  openSqlite,
  runInTransaction,
  type WritableDb,
} from '../../../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { getThrown } from '../get-thrown.ts';
import { createWebhook } from '../sample-records.ts';
import { createTemporaryFolder, openTemporaryStore } from '../temporary-store.ts';

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
  it.each(schemaMigrations[kind].map((_, at) => at + 1))(
    'version %i has the expected schema',
    async (version) => {
      const db = openSqlite(':memory:') as WritableDb;
      migrateStore(db, kind, version);
      expect(getSchemaVersion(db)).toBe(version);
      expect(db.pragma('foreign_key_check')).toEqual([]);
      await expect(readSchema(db)).toMatchFileSnapshot(getSchemaFile(kind, version));
      db.close();
    },
  );

  it('opens at the latest version', () => {
    expect(getSchemaVersion(openTemporaryStore(kind))).toBe(schemaMigrations[kind].length);
    expect(getLatestSchemaVersion(kind)).toBe(schemaMigrations[kind].length);
  });

  it('has the same schema when it is migrated one version at a time', () => {
    const db = openSqlite(':memory:') as WritableDb;
    for (let version = 1; version <= getLatestSchemaVersion(kind); version++) migrateStore(db, kind, version);
    expect(readSchema(db)).toBe(readSchema(openTemporaryStore(kind)));
    db.close();
  });

  it('is rejected and left unchanged if a newer version of Tieout wrote it', () => {
    const path = join(createTemporaryFolder(), `${kind}.db`);
    const db = openStore(path, kind);
    db.pragma(`user_version = ${getLatestSchemaVersion(kind) + 3}`);
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
  const db = openSqlite(':memory:') as WritableDb;
  db.exec('CREATE TABLE webhook (id INTEGER)');
  expect(() => migrateStore(db, 'cache')).toThrow(/already exists/);
  expect(getSchemaVersion(db)).toBe(0);
  expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(1);
  db.close();
});

it('leaves an up-to-date database unchanged', () => {
  const db = openTemporaryStore('cache');
  runInTransaction(db, () => upsertWebhooks(db, [createWebhook()], 1));
  migrateStore(db, 'cache');
  expect(db.prepare('SELECT count(*) FROM webhook').pluck().get()).toBe(1);
});

describe('a later migration', () => {
  const added = schemaMigrations.cache as SchemaMigration[];
  beforeEach(() => added.push({ up: (db) => db.exec('ALTER TABLE subscription ADD COLUMN note TEXT') }));
  afterEach(() => added.pop());

  it('upgrades an older database and keeps its rows', () => {
    const db = openSqlite(':memory:') as WritableDb;
    migrateStore(db, 'cache', 1);
    db.exec('INSERT INTO subscription (subscription_id) VALUES (7)');
    migrateStore(db, 'cache');
    expect(getSchemaVersion(db)).toBe(2);
    expect(db.prepare('SELECT subscription_id, note FROM subscription').all()).toEqual([
      { subscription_id: 7, note: null },
    ]);
    db.close();
  });
});
