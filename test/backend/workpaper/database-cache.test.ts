import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { inTransaction } from '../../../src/backend/store/sqlite/connection.ts';
import { createDatabaseCache } from '../../../src/backend/workpaper/database-cache.ts';

test('caches values until a database is changed by any connection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-kept-'));
  const books = openStore(join(folder, 'books.db'), 'books');
  const cache = openStore(join(folder, 'cache.db'), 'cache');
  const other = openStore(join(folder, 'cache.db'), 'cache');
  onTestFinished(() => {
    for (const store of [books, cache, other]) closeStore(store);
    rmSync(folder, { recursive: true, force: true });
  });
  const kept = createDatabaseCache<number>();
  let made = 0;
  const look = (name = 'one') => kept([books, cache], name, () => ++made);
  const type = (db: typeof books, name: string) =>
    inTransaction(db, () => db.prepare("INSERT INTO txn_class (type, kind) VALUES (?, '')").run(name));

  expect([look(), look(), look('two'), look()]).toEqual([1, 1, 2, 1]);
  type(cache, 'a');
  expect([look(), look('two'), look()]).toEqual([3, 4, 3]);
  type(other, 'b');
  expect([look(), look()]).toEqual([5, 5]);
  inTransaction(books, () =>
    books.prepare("INSERT INTO bank_account (name, kind) VALUES ('Main', 'bank')").run(),
  );
  expect([look(), look()]).toEqual([6, 6]);
});
