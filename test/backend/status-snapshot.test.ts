import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../src/backend/open-reader.ts';
import type { Backend } from '../../src/backend/shared/start-options.ts';
import { readSites, readStatusSnapshot, type SiteFile } from '../../src/backend/status-snapshot.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { createClient } from '../../src/contract/index.ts';
import { addSite } from './bank/bench.ts';
import { memoryShell } from './shell.ts';
import { temporaryFolder } from './store/temporary.ts';
import { openWorkbench, SITE, type Workbench } from './workbench.ts';

let bench: Workbench;
let reader: Backend;
beforeAll(async () => {
  bench = await openWorkbench({ seed: 3, subscriptions: 10, months: 2 });
  const { home, keys } = bench;
  reader = openReader({ home, version: '0.0.0', shell: memoryShell(keys), log: () => undefined });
});
afterAll(async () => {
  await reader.close();
  await bench.close();
});

const only = (home: string): SiteFile => {
  const [site] = readSites(home);
  if (site === undefined) throw new Error('no site');
  return site;
};

/** What the contract says of the same. */
async function asked() {
  const client = createClient({ reader: reader.link, writer: reader.link });
  const [status, runs, problems] = await Promise.all([
    client.sync.status({ site: SITE }),
    client.sync.runs({ site: SITE, limit: 1 }),
    client.sync.problems({ site: SITE, limit: 5 }),
  ]);
  const job = status.running === null ? null : await client.jobs.get({ site: SITE, job: status.running });
  return { status, job, last_run: runs[0] ?? null, problems: problems.rows };
}

test('a status snapshot equals the status from the backend, before and after a sync', async () => {
  const look = () => readStatusSnapshot(bench.home, only(bench.home), 5);
  expect(look()).toEqual(await asked());
  await bench.sync();
  const seen = look();
  expect(seen).toEqual(await asked());
  expect(seen?.status.complete).toBe(true);
  expect(seen?.last_run?.state).toBe('done');
});

/** Breaks one store of a home of its own, which is whole otherwise. */
const broken: [what: string, breaking: (site: string) => void][] = [
  ['a store is missing', (site) => rmSync(join(site, 'books.db'))],
  ['a store is of an older version', (site) => withStore(site, (db) => db.pragma('user_version = 0'))],
  ['a store is of a newer Tieout', (site) => withStore(site, (db) => db.pragma('user_version = 9999'))],
  ['a store is damaged', (site) => writeFileSync(join(site, 'cache.db'), 'not a database at all')],
];

function withStore(site: string, work: (db: Database.Database) => void): void {
  const db = new Database(join(site, 'cache.db'));
  work(db);
  db.close();
}

/** What the folder holds, but for SQLite's own bookkeeping. */
function contents(folder: string): [name: string, text: string][] {
  const files = readdirSync(folder).filter((name) => /\.(db|json|suspect)$/.test(name));
  return files.sort().map((name) => [name, readFileSync(join(folder, name), 'latin1')]);
}

test.each(broken)('a status snapshot is empty and changes nothing if %s', (_what, breaking) => {
  const home = temporaryFolder();
  addSite(home);
  const site = join(home, 'sites', SITE);
  for (const kind of ['cache', 'books'] as const) closeStore(openStore(join(site, `${kind}.db`), kind));
  expect(readStatusSnapshot(home, only(home), 5)).not.toBeNull();
  breaking(site);
  const before = contents(site);
  expect(readStatusSnapshot(home, only(home), 5)).toBeNull();
  expect(contents(site)).toEqual(before);
});
