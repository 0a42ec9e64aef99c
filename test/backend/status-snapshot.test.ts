import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBackendReader } from '../../src/backend/open-backend-reader.ts';
import type { Backend } from '../../src/backend/shared/backend-start-options.ts';
import { readSites, readStatusSnapshot, type SiteFile } from '../../src/backend/status-snapshot.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { createBackendClient } from '../../src/contract/index.ts';
import { addSite } from './bank/bank-bench.ts';
import { createMemoryShell } from './memory-shell.ts';
import { createTemporaryFolder } from './store/temporary-store.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from './writer-test-site.ts';

let bench: WriterTestSite;
let reader: Backend;
beforeAll(async () => {
  bench = await openWriterTestSite({ seed: 3, subscriptions: 10, months: 2 });
  const { home, keys } = bench;
  reader = openBackendReader({
    home,
    version: '0.0.0',
    shell: createMemoryShell(keys),
    log: () => undefined,
  });
});
afterAll(async () => {
  await reader.close();
  await bench.close();
});

const getSite = (home: string): SiteFile => {
  const [site] = readSites(home);
  if (site === undefined) throw new Error('no site');
  return site;
};

/** Returns the same status from the backend. */
async function getBackendStatus() {
  const client = createBackendClient({ reader: reader.link, writer: reader.link });
  const [status, runs, problems] = await Promise.all([
    client.sync.status({ site: SITE }),
    client.sync.runs({ site: SITE, limit: 1 }),
    client.sync.problems({ site: SITE, limit: 5 }),
  ]);
  const job = status.running === null ? null : await client.jobs.get({ site: SITE, job: status.running });
  return { status, job, last_run: runs[0] ?? null, problems: problems.rows };
}

test('a status snapshot equals the status from the backend, before and after a sync', async () => {
  const readSnapshot = () => readStatusSnapshot(bench.home, getSite(bench.home), 5);
  expect(readSnapshot()).toEqual(await getBackendStatus());
  await bench.sync();
  const seen = readSnapshot();
  expect(seen).toEqual(await getBackendStatus());
  expect(seen?.status.complete).toBe(true);
  expect(seen?.last_run?.state).toBe('done');
});

/** Cases that each damage one database of an otherwise intact home. */
const damageCases: [what: string, damage: (site: string) => void][] = [
  ['a database is missing', (site) => rmSync(join(site, 'books.db'))],
  ['a database is of an older version', (site) => withStore(site, (db) => db.pragma('user_version = 0'))],
  [
    'a database is of a newer version of Tieout',
    (site) => withStore(site, (db) => db.pragma('user_version = 9999')),
  ],
  ['a database is damaged', (site) => writeFileSync(join(site, 'cache.db'), 'not a database at all')],
];

function withStore(site: string, work: (db: Database.Database) => void): void {
  const db = new Database(join(site, 'cache.db'));
  work(db);
  db.close();
}

/** Returns the files of a folder except those that SQLite creates for itself. */
function readFolder(folder: string): [name: string, text: string][] {
  const files = readdirSync(folder).filter((name) => /\.(db|json|suspect)$/.test(name));
  return files.sort().map((name) => [name, readFileSync(join(folder, name), 'latin1')]);
}

test.each(damageCases)('a status snapshot is empty and changes nothing if %s', (_what, breaking) => {
  const home = createTemporaryFolder();
  addSite(home);
  const site = join(home, 'sites', SITE);
  for (const kind of ['cache', 'books'] as const) closeStore(openStore(join(site, `${kind}.db`), kind));
  expect(readStatusSnapshot(home, getSite(home), 5)).not.toBeNull();
  breaking(site);
  const before = readFolder(site);
  expect(readStatusSnapshot(home, getSite(home), 5)).toBeNull();
  expect(readFolder(site)).toEqual(before);
});
