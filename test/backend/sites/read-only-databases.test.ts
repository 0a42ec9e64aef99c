import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ReadOnlyDatabases } from '../../../src/backend/sites/read-only-databases.ts';
import { SqliteError } from '../../../src/backend/store/sqlite/connection.ts';
import { addSite, SITE } from '../bank/bank-bench.ts';
import { getThrown } from '../store/get-thrown.ts';
import { createTemporaryFolder } from '../store/temporary-store.ts';

const damage = () =>
  new SqliteError('fts5: corruption found reading blob 137438953473', 'SQLITE_CORRUPT_VTAB');

test('damage that only a long-lived connection reports is not reported, and the connection is replaced', () => {
  const home = createTemporaryFolder();
  addSite(home);
  const stores = new ReadOnlyDatabases(home);
  const old = stores.read(SITE, ({ cache }) => cache);
  const fresh = stores.read(SITE, ({ cache }) => {
    if (cache === old) throw damage();
    return cache;
  });
  expect([old.open, fresh.open]).toEqual([false, true]);
  expect(existsSync(join(home, 'sites', SITE, 'cache.db.suspect'))).toBe(false);
  stores.close();
});

test('damage that a new connection reports as well is reported, and the file is checked at the next opening', () => {
  const home = createTemporaryFolder();
  addSite(home);
  const stores = new ReadOnlyDatabases(home);
  const read = () =>
    stores.read(SITE, ({ cache }) => {
      if (cache.open) throw damage();
    });
  expect(getThrown(read)).toMatchObject({ code: 'SQLITE_CORRUPT_VTAB' });
  expect(existsSync(join(home, 'sites', SITE, 'cache.db.suspect'))).toBe(true);
  stores.close();
});
