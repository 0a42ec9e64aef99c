import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addAuditEntry } from '../../../../src/backend/store/audit-log/audit-log.ts';
import { backUpBooks } from '../../../../src/backend/store/backups/back-up-books.ts';
import { listBackupFiles } from '../../../../src/backend/store/backups/backup-files.ts';
import {
  closeStore,
  openStore,
  requestIntegrityCheck,
} from '../../../../src/backend/store/database/open-store.ts';
import { type SchemaMigration, schemaMigrations } from '../../../../src/backend/store/migrations/migrate.ts';
import { openSqlite, runInTransaction } from '../../../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { getThrown } from '../get-thrown.ts';
import { createWebhook } from '../sample-records.ts';
import { createTemporaryFolder, openTemporaryStore } from '../temporary-store.ts';

const count = (db: ReturnType<typeof openStore>, table: string) =>
  db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
const auditEntry = { at: 1, user: 'ada', action: 'site.add', subject: 'acme', detail: {} };

/** Creates and closes a cache of several pages, to be damaged. */
function createFilledCache(): string {
  const path = join(createTemporaryFolder(), 'cache.db');
  const db = openStore(path, 'cache');
  runInTransaction(db, () =>
    upsertWebhooks(
      db,
      Array.from({ length: 300 }, (_, at) => createWebhook({ id: at + 1 })),
      1,
    ),
  );
  closeStore(db);
  return path;
}

/** Overwrites bytes of the file from offset `at`. */
function overwriteBytes(path: string, at: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0x5a), 0, bytes, at);
}

describe('opening a store', () => {
  it('configures every connection', () => {
    const cache = openTemporaryStore('cache');
    const books = openTemporaryStore('books');
    const pragma = (db: typeof cache, name: string) => db.pragma(name, { simple: true });
    expect(pragma(cache, 'journal_mode')).toBe('wal');
    expect(pragma(cache, 'synchronous')).toBe(1);
    expect(pragma(books, 'synchronous')).toBe(2);
    for (const [name, value] of [
      ['foreign_keys', 1],
      ['busy_timeout', 5000],
      ['trusted_schema', 0],
      ['cell_size_check', 1],
      ['mmap_size', 0],
      ['temp_store', 2],
    ] as const) {
      expect([name, pragma(cache, name), pragma(books, name)]).toEqual([name, value, value]);
    }
    expect(pragma(cache, 'application_id')).not.toBe(pragma(books, 'application_id'));
  });

  it('makes the folder accessible only to its owner', () => {
    const folder = join(createTemporaryFolder(), 'sites', 'acme');
    closeStore(openStore(join(folder, 'books.db'), 'books'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('gives a reader read-only access, and creates a missing store', () => {
    const path = join(createTemporaryFolder(), 'cache.db');
    const reader = openStore(path, 'cache', { readonly: true });
    const writer = openStore(path, 'cache');
    upsertWebhooks(writer, [createWebhook()], 1);
    expect(count(reader as typeof writer, 'webhook')).toBe(1);
    expect(() => reader.exec('DELETE FROM webhook')).toThrow(/readonly/);
    closeStore(reader);
    closeStore(writer);
  });

  it('moves the write-ahead log into the file when it is closed', () => {
    const path = createFilledCache();
    expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0);
  });
});

describe('damaged cache', () => {
  it('with an invalid header is moved aside and created again', () => {
    const path = createFilledCache();
    overwriteBytes(path, 0, 200);
    const before = readFileSync(path);
    const db = openStore(path, 'cache');
    expect(count(db, 'webhook')).toBe(0);
    closeStore(db);
    const movedFiles = readdirSync(join(path, '..')).filter((name) =>
      /^cache\.db\.damaged-\d{8}T\d{9}Z$/.test(name),
    );
    expect(movedFiles.length).toBe(1);
    expect(readFileSync(join(path, '..', movedFiles[0]!))).toEqual(before);
  });

  it('found by a reader is verified and moved aside when it is next opened for writing', () => {
    const path = createFilledCache();
    overwriteBytes(path, statSync(path).size - 8192, 8192);
    const intact = openStore(path, 'cache');
    expect(readdirSync(join(path, '..')).some((name) => name.includes('damaged'))).toBe(false);
    expect(getThrown(() => intact.exec('VACUUM'))).toMatchObject({
      code: 'SQLITE_CORRUPT',
    });
    closeStore(intact);
    requestIntegrityCheck(path);
    const db = openStore(path, 'cache');
    expect(count(db, 'webhook')).toBe(0);
    closeStore(db);
    expect(readdirSync(join(path, '..')).some((name) => name.includes('damaged'))).toBe(true);
    expect(existsSync(`${path}.suspect`)).toBe(false);
  });

  it('gives a reader the error `corrupt` with advice', () => {
    const path = createFilledCache();
    overwriteBytes(path, 0, 200);
    expect(getThrown(() => openStore(path, 'cache', { readonly: true }))).toMatchObject({
      code: 'corrupt',
      data: { hint: expect.stringContaining('renamed') },
    });
    expect(existsSync(`${path}.suspect`)).toBe(true);
  });

  it('that was only suspected is kept if it is intact', () => {
    const path = createFilledCache();
    requestIntegrityCheck(path);
    const db = openStore(path, 'cache');
    expect(count(db, 'webhook')).toBe(300);
    closeStore(db);
    expect(existsSync(`${path}.suspect`)).toBe(false);
  });

  it('is not moved aside if the file is the books', () => {
    const folder = createTemporaryFolder();
    closeStore(openStore(join(folder, 'cache.db'), 'cache'));
    copyFileSync(join(folder, 'cache.db'), join(folder, 'books.db'));
    expect(getThrown(() => openStore(join(folder, 'books.db'), 'books'))).toMatchObject({ code: 'corrupt' });
  });
});

describe('books', () => {
  it('that are damaged are rejected and left unchanged, and the error names the last intact backup', () => {
    const path = join(createTemporaryFolder(), 'books.db');
    const db = openStore(path, 'books');
    for (let at = 0; at < 400; at++)
      addAuditEntry(db, { ...auditEntry, at, detail: { text: 'x'.repeat(200) } });
    closeStore(db);
    closeStore(openStore(path, 'books'));
    const [copy] = listBackupFiles(path);
    overwriteBytes(path, 8192, statSync(path).size - 8192);
    const before = readFileSync(path);
    const error = getThrown(() => openStore(path, 'books'));
    expect(error).toMatchObject({
      code: 'corrupt',
      data: { hint: expect.stringContaining(copy!.name) },
    });
    expect(readFileSync(path)).toEqual(before);

    copyFileSync(copy!.path, path);
    const restored = openStore(path, 'books');
    expect(count(restored, 'audit')).toBe(400);
    closeStore(restored);
  });

  it('that are damaged give a specific error if there is no backup', () => {
    const path = join(createTemporaryFolder(), 'books.db');
    writeFileSync(path, 'this is no database at all, it is a text of some length');
    expect(getThrown(() => openStore(path, 'books'))).toMatchObject({
      code: 'corrupt',
      data: { hint: expect.stringContaining('no backup') },
    });
  });

  it('are backed up at every start after a change, keeping five backups per hour', () => {
    const path = join(createTemporaryFolder(), 'books.db');
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let start = 0; start < 8; start++) {
      // Sets the clock so that all starts are within one hour.
      vi.setSystemTime(Date.UTC(2026, 10, 21, 12, 30, start));
      const db = openStore(path, 'books');
      addAuditEntry(db, { ...auditEntry, at: start });
      closeStore(db);
      // In real use, backups are made in different seconds.
      for (const copy of listBackupFiles(path)) utimesSync(copy.path, new Date(start), new Date(start));
    }
    const copies = listBackupFiles(path);
    expect(copies.length).toBe(5);
    const stored = copies.map((copy) => {
      const db = openSqlite(copy.path, { readonly: true });
      const rows = db.prepare('SELECT count(*) FROM audit').pluck().get();
      db.close();
      return rows;
    });
    expect(stored).toEqual([7, 6, 5, 4, 3]);
  });

  it('are not backed up again if nothing has changed', () => {
    const path = join(createTemporaryFolder(), 'books.db');
    const db = openStore(path, 'books');
    addAuditEntry(db, auditEntry);
    backUpBooks(db, path, 'start');
    const copies = listBackupFiles(path);
    const later = new Date(Date.now() + 60_000);
    utimesSync(copies[0]!.path, later, later);
    backUpBooks(db, path, 'start', later.getTime());
    expect(listBackupFiles(path)).toEqual(copies);
    closeStore(db);
  });

  it('are opened if a backup fails, but not migrated without one', () => {
    const path = join(createTemporaryFolder(), 'books.db');
    const db = openStore(path, 'books');
    addAuditEntry(db, auditEntry);
    closeStore(db);
    writeFileSync(join(path, '..', 'backups'), 'in the way');
    closeStore(openStore(path, 'books'));
    const later = schemaMigrations.books as SchemaMigration[];
    later.push({ up: (writable) => writable.exec('CREATE TABLE made_up (id INTEGER)') });
    try {
      expect(getThrown(() => openStore(path, 'books'))).toMatchObject({
        code: expect.stringMatching(/EEXIST|ENOTDIR/),
      });
    } finally {
      later.pop();
    }
    const after = openSqlite(path, { readonly: true });
    expect(after.pragma('user_version', { simple: true })).toBe(1);
    after.close();
  });

  it('do not list other files in the backups folder as backups', () => {
    const path = join(createTemporaryFolder(), 'books.db');
    mkdirSync(join(path, '..', 'backups'));
    writeFileSync(join(path, '..', 'backups', 'notes.txt'), 'mine');
    closeStore(openStore(path, 'books'));
    expect(listBackupFiles(path)).toEqual([]);
    expect(existsSync(join(path, '..', 'backups', 'notes.txt'))).toBe(true);
  });
});
