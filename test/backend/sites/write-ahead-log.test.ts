import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SiteDatabases } from '../../../src/backend/sites/site-databases.ts';
import { SiteLocks } from '../../../src/backend/sites/site-lock.ts';
import { MAX_WAL_BYTES } from '../../../src/backend/store/database/open-current-store.ts';
import { openStore } from '../../../src/backend/store/database/open-store.ts';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import { addSite, SITE } from '../bank/bank-bench.ts';
import { createTemporaryFolder } from '../store/temporary-store.ts';

/** Opens a site, and a reader whose transaction prevents SQLite from starting the cache's log over. */
function openSiteWithReader() {
  const home = createTemporaryFolder();
  addSite(home);
  const locks = new SiteLocks(home);
  const recovery = { always: [], exclusive: [] };
  const stores = new SiteDatabases({ home, locks, recovery, opened: () => undefined });
  onTestFinished(() => stores.closeAll());
  const { cache } = stores.open(SITE);
  const path = join(home, 'sites', SITE, 'cache.db');
  const reader = openStore(path, 'cache', { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec('BEGIN');
  prepareSql(reader, 'SELECT count(*) FROM webhook').get();
  cache.exec('CREATE TABLE filler (bytes BLOB)');
  cache.prepare('INSERT INTO filler VALUES (zeroblob(?))').run(MAX_WAL_BYTES + 1_000_000);
  return { cache, reader, walBytes: () => statSync(`${path}-wal`).size };
}

test('a long write-ahead log is emptied as soon as the reads that need it have ended', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { cache, reader, walBytes } = openSiteWithReader();
  vi.advanceTimersByTime(1000);
  // The reader still sees the state before the write.
  expect(walBytes()).toBeGreaterThan(MAX_WAL_BYTES);
  expect(prepareSql(reader, "SELECT count(*) FROM sqlite_schema WHERE name = 'filler'").pluck().get()).toBe(
    0,
  );
  reader.exec('COMMIT');
  vi.advanceTimersByTime(1000);
  expect(walBytes()).toBe(0);
  expect(cache.pragma('busy_timeout', { simple: true })).toBe(5000);
  expect(prepareSql(cache, 'SELECT length(bytes) FROM filler').pluck().get()).toBe(MAX_WAL_BYTES + 1_000_000);
});

test('an unfinished read of the same connection is not disturbed', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { cache, reader, walBytes } = openSiteWithReader();
  reader.exec('COMMIT');
  const rows = cache.prepare('SELECT 1 UNION ALL SELECT 2').iterate();
  rows.next();
  vi.advanceTimersByTime(1000);
  expect(rows.next().done).toBe(false);
  rows.return?.();
  vi.advanceTimersByTime(1000);
  expect(walBytes()).toBe(0);
});
