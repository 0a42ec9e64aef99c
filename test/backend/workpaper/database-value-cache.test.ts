import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../../src/backend/store/sqlite/connection.ts';
import { createDatabaseValueCache } from '../../../src/backend/workpaper/database-value-cache.ts';

test('caches values until a database is changed by any connection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-kept-'));
  const books = openStore(join(folder, 'books.db'), 'books');
  const cache = openStore(join(folder, 'cache.db'), 'cache');
  const other = openStore(join(folder, 'cache.db'), 'cache');
  onTestFinished(() => {
    for (const store of [books, cache, other]) closeStore(store);
    rmSync(folder, { recursive: true, force: true });
  });
  const databaseCache = createDatabaseValueCache<number>();
  let computed = 0;
  const read = (name = 'one') => databaseCache([books, cache], name, () => ++computed);
  const type = (db: typeof books, name: string) =>
    runInTransaction(db, () => db.prepare("INSERT INTO txn_class (type, kind) VALUES (?, '')").run(name));

  expect([read(), read(), read('two'), read()]).toEqual([1, 1, 2, 1]);
  type(cache, 'a');
  expect([read(), read('two'), read()]).toEqual([3, 4, 3]);
  type(other, 'b');
  expect([read(), read()]).toEqual([5, 5]);
  runInTransaction(books, () =>
    books.prepare("INSERT INTO bank_account (name, kind) VALUES ('Main', 'bank')").run(),
  );
  expect([read(), read()]).toEqual([6, 6]);
});
