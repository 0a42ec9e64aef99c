import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commit, connect, type WritableDb } from '../../../src/backend/store/database.ts';
import {
  latestVersion,
  migrate,
  migrations,
  type StoreKind,
  versionOf,
} from '../../../src/backend/store/migrate.ts';
import { closeStore, openStore } from '../../../src/backend/store/open.ts';
import { upsertWebhooks } from '../../../src/backend/store/webhooks/webhook.ts';
import { webhookRows } from '../../../src/backend/store/webhooks/webhook-list.ts';
import { caught } from './caught.ts';
import { webhook } from './rows.ts';
import { temporaryFolder, temporaryStore } from './temporary.ts';

const kinds: StoreKind[] = ['cache', 'books'];
/** The schema a version comes to, written down with `vitest -u` when the migration is new and never changed after. */
const golden = (kind: StoreKind, version: number) =>
  fileURLToPath(new URL(`./golden/${kind}-${String(version).padStart(4, '0')}.sql`, import.meta.url));

/** Every statement that makes the schema, a line each, without what SQLite and FTS5 make for themselves. */
function schemaOf(db: WritableDb): string {
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
  it.each(migrations[kind].map((_, at) => at + 1))(
    'at version %i has the schema that is written down',
    async (version) => {
      const db = connect(':memory:') as WritableDb;
      migrate(db, kind, version);
      expect(versionOf(db)).toBe(version);
      expect(db.pragma('foreign_key_check')).toEqual([]);
      await expect(schemaOf(db)).toMatchFileSnapshot(golden(kind, version));
      db.close();
    },
  );

  it('is at the newest version, each migration counted', () => {
    expect(versionOf(temporaryStore(kind))).toBe(migrations[kind].length);
    expect(latestVersion(kind)).toBe(migrations[kind].length);
  });

  it('comes to the same schema one step at a time', () => {
    const db = connect(':memory:') as WritableDb;
    for (let version = 1; version <= latestVersion(kind); version++) migrate(db, kind, version);
    expect(schemaOf(db)).toBe(schemaOf(temporaryStore(kind)));
    db.close();
  });

  it('is refused with a sentence when a newer Tieout wrote it, and left as it is', () => {
    const path = join(temporaryFolder(), `${kind}.db`);
    const db = openStore(path, kind);
    db.pragma(`user_version = ${latestVersion(kind) + 3}`);
    closeStore(db);
    const before = readFileSync(path);
    for (const open of [() => openStore(path, kind), () => openStore(path, kind, { readonly: true })]) {
      expect(caught(open)).toMatchObject({
        code: 'storage',
        message: expect.stringContaining('newer Tieout'),
        data: { hint: expect.stringContaining('Install the newer Tieout') },
      });
    }
    expect(readFileSync(path)).toEqual(before);
  });
});

it('leaves nothing of a migration that fails half way', () => {
  const db = connect(':memory:') as WritableDb;
  db.exec('CREATE TABLE webhook (id INTEGER)');
  expect(() => migrate(db, 'cache')).toThrow(/already exists/);
  expect(versionOf(db)).toBe(0);
  expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(1);
  db.close();
});

it('does nothing to a store that is there already', () => {
  const db = temporaryStore('cache');
  commit(db, () => upsertWebhooks(db, [webhook()], 1));
  migrate(db, 'cache');
  expect(db.prepare('SELECT count(*) FROM webhook').pluck().get()).toBe(1);
});

it('keeps what the service sent of a webhook, whether a row says it twice or once', () => {
  const db = connect(':memory:') as WritableDb;
  migrate(db, 'cache', 7);
  const insert =
    db.prepare(`INSERT INTO webhook (id, class_id, successful, delivery, created_at, accepted_at, last_sent_at,
      accepted_at_text, last_sent_at_text, last_sent_url, read_at, event, extra, body_form, body)
    VALUES (?, ?, 1, 0, 5, ?, 5, ?, ?, ?, 5, 'x', '{"a":1}', 'json', '{}')`);
  db.exec(
    "INSERT INTO webhook_class (id, event, delivery, url) VALUES (1, 'x', 0, 'https://a'), (2, 'x', 0, '')",
  );
  const rows = [
    [1, 1, 7, 'noon', 'noon', 'https://a'],
    [2, 1, 7, 'noon', 'one', 'https://a?key=1'],
    [3, 2, null, 'soon', 'soon', ''],
    [4, 2, null, null, 'noon', null],
  ];
  for (const row of rows) insert.run(...row);
  migrate(db, 'cache');
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(webhookRows(db, [1, 2, 3, 4])).toMatchObject(
    rows.map(([id, , , accepted_at, last_sent_at, last_sent_url]) => ({
      id,
      accepted_at,
      last_sent_at,
      last_sent_url,
    })),
  );
  for (const change of [
    "body_form = 'else'",
    'delivery = 3',
    'delivery = -1',
    'successful = 2',
    'extra = NULL',
  ]) {
    expect(() => db.exec(`UPDATE webhook SET ${change}`)).toThrow(/constraint failed/);
  }
  db.close();
});
