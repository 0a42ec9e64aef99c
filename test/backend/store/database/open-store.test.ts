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
import { addAudit } from '../../../../src/backend/store/audit-log/audit-log.ts';
import { backUp, backupsOf } from '../../../../src/backend/store/backups/backup.ts';
import { closeStore, openStore, suspect } from '../../../../src/backend/store/database/open-store.ts';
import { type Migration, migrations } from '../../../../src/backend/store/migrations/migrate.ts';
import { commit, connect } from '../../../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { caught } from '../caught.ts';
import { webhook } from '../rows.ts';
import { temporaryFolder, temporaryStore } from '../temporary.ts';

const count = (db: ReturnType<typeof openStore>, table: string) =>
  db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
const entry = { at: 1, user: 'ada', action: 'site.add', subject: 'acme', detail: {} };

/** A closed cache of some pages, for damaging. */
function filledCache(): string {
  const path = join(temporaryFolder(), 'cache.db');
  const db = openStore(path, 'cache');
  commit(db, () =>
    upsertWebhooks(
      db,
      Array.from({ length: 300 }, (_, at) => webhook({ id: at + 1 })),
      1,
    ),
  );
  closeStore(db);
  return path;
}

/** Overwrites the file from `at` on with nonsense. */
function damage(path: string, at: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0x5a), 0, bytes, at);
}

describe('opening', () => {
  it('sets what every connection needs', () => {
    const cache = temporaryStore('cache');
    const books = temporaryStore('books');
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

  it('keeps the folder to its owner', () => {
    const folder = join(temporaryFolder(), 'sites', 'acme');
    closeStore(openStore(join(folder, 'books.db'), 'books'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('lets a reader read and not write, and make a store that is not there yet', () => {
    const path = join(temporaryFolder(), 'cache.db');
    const reader = openStore(path, 'cache', { readonly: true });
    const writer = openStore(path, 'cache');
    upsertWebhooks(writer, [webhook()], 1);
    expect(count(reader as typeof writer, 'webhook')).toBe(1);
    expect(() => reader.exec('DELETE FROM webhook')).toThrow(/readonly/);
    closeStore(reader);
    closeStore(writer);
  });

  it('empties the log of writes into the file at the end', () => {
    const path = filledCache();
    expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0);
  });
});

describe('a damaged cache', () => {
  it('whose head is nonsense is set aside whole, and made anew', () => {
    const path = filledCache();
    damage(path, 0, 200);
    const before = readFileSync(path);
    const db = openStore(path, 'cache');
    expect(count(db, 'webhook')).toBe(0);
    closeStore(db);
    const aside = readdirSync(join(path, '..')).filter((name) =>
      /^cache\.db\.damaged-\d{8}T\d{9}Z$/.test(name),
    );
    expect(aside.length).toBe(1);
    expect(readFileSync(join(path, '..', aside[0]!))).toEqual(before);
  });

  it('whose damage a reader came upon is looked through at the next opening for writing, and set aside', () => {
    const path = filledCache();
    damage(path, statSync(path).size - 8192, 8192);
    const sound = openStore(path, 'cache');
    expect(readdirSync(join(path, '..')).some((name) => name.includes('damaged'))).toBe(false);
    expect(caught(() => sound.exec('VACUUM'))).toMatchObject({
      code: 'SQLITE_CORRUPT',
    });
    closeStore(sound);
    suspect(path);
    const db = openStore(path, 'cache');
    expect(count(db, 'webhook')).toBe(0);
    closeStore(db);
    expect(readdirSync(join(path, '..')).some((name) => name.includes('damaged'))).toBe(true);
    expect(existsSync(`${path}.suspect`)).toBe(false);
  });

  it('is `corrupt` to a reader, with the way out', () => {
    const path = filledCache();
    damage(path, 0, 200);
    expect(caught(() => openStore(path, 'cache', { readonly: true }))).toMatchObject({
      code: 'corrupt',
      data: { hint: expect.stringContaining('set aside') },
    });
    expect(existsSync(`${path}.suspect`)).toBe(true);
  });

  it('that was only suspected is kept when it is sound', () => {
    const path = filledCache();
    suspect(path);
    const db = openStore(path, 'cache');
    expect(count(db, 'webhook')).toBe(300);
    closeStore(db);
    expect(existsSync(`${path}.suspect`)).toBe(false);
  });

  it('is not what a file of another kind is taken for when it is books', () => {
    const folder = temporaryFolder();
    closeStore(openStore(join(folder, 'cache.db'), 'cache'));
    copyFileSync(join(folder, 'cache.db'), join(folder, 'books.db'));
    expect(caught(() => openStore(join(folder, 'books.db'), 'books'))).toMatchObject({ code: 'corrupt' });
  });
});

describe('the books', () => {
  it('when damaged are refused, left as they are, and the last good copy is named', () => {
    const path = join(temporaryFolder(), 'books.db');
    const db = openStore(path, 'books');
    for (let at = 0; at < 400; at++) addAudit(db, { ...entry, at, detail: { text: 'x'.repeat(200) } });
    closeStore(db);
    closeStore(openStore(path, 'books'));
    const [copy] = backupsOf(path);
    damage(path, 8192, statSync(path).size - 8192);
    const before = readFileSync(path);
    const error = caught(() => openStore(path, 'books'));
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

  it('when damaged before there is a copy say so', () => {
    const path = join(temporaryFolder(), 'books.db');
    writeFileSync(path, 'this is no database at all, it is a text of some length');
    expect(caught(() => openStore(path, 'books'))).toMatchObject({
      code: 'corrupt',
      data: { hint: expect.stringContaining('no copy') },
    });
  });

  it('are copied at every start that follows a change, and of one hour five copies are kept', () => {
    const path = join(temporaryFolder(), 'books.db');
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let start = 0; start < 8; start++) {
      // Within one hour, whatever the hour is now.
      vi.setSystemTime(Date.UTC(2026, 10, 21, 12, 30, start));
      const db = openStore(path, 'books');
      addAudit(db, { ...entry, at: start });
      closeStore(db);
      // Copies are of different seconds in life.
      for (const copy of backupsOf(path)) utimesSync(copy.path, new Date(start), new Date(start));
    }
    const copies = backupsOf(path);
    expect(copies.length).toBe(5);
    const stored = copies.map((copy) => {
      const db = connect(copy.path, { readonly: true });
      const rows = db.prepare('SELECT count(*) FROM audit').pluck().get();
      db.close();
      return rows;
    });
    expect(stored).toEqual([7, 6, 5, 4, 3]);
  });

  it('are not copied again when nothing was written since', () => {
    const path = join(temporaryFolder(), 'books.db');
    const db = openStore(path, 'books');
    addAudit(db, entry);
    backUp(db, path, 'start');
    const copies = backupsOf(path);
    const later = new Date(Date.now() + 60_000);
    utimesSync(copies[0]!.path, later, later);
    backUp(db, path, 'start', later.getTime());
    expect(backupsOf(path)).toEqual(copies);
    closeStore(db);
  });

  it('are opened where no copy can be made at a start, and not brought to a newer form without one', () => {
    const path = join(temporaryFolder(), 'books.db');
    const db = openStore(path, 'books');
    addAudit(db, entry);
    closeStore(db);
    writeFileSync(join(path, '..', 'backups'), 'in the way');
    closeStore(openStore(path, 'books'));
    const later = migrations.books as Migration[];
    later.push({ up: (writable) => writable.exec('CREATE TABLE made_up (id INTEGER)') });
    try {
      expect(caught(() => openStore(path, 'books'))).toMatchObject({
        code: expect.stringMatching(/EEXIST|ENOTDIR/),
      });
    } finally {
      later.pop();
    }
    const after = connect(path, { readonly: true });
    expect(after.pragma('user_version', { simple: true })).toBe(1);
    after.close();
  });

  it('are not mistaken in a folder with other files', () => {
    const path = join(temporaryFolder(), 'books.db');
    mkdirSync(join(path, '..', 'backups'));
    writeFileSync(join(path, '..', 'backups', 'notes.txt'), 'mine');
    closeStore(openStore(path, 'books'));
    expect(backupsOf(path)).toEqual([]);
    expect(existsSync(join(path, '..', 'backups', 'notes.txt'))).toBe(true);
  });
});
