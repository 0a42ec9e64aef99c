import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  createSnapshotCache,
  type OpenSiteDatabases,
} from '../../../src/backend/periods/site-snapshot-cache.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import type { SiteSnapshot } from '../../../src/backend/workpaper/site-snapshot.ts';
import type { WorkSteps } from '../../../src/domain/work-steps/work-steps.ts';

type Site = OpenSiteDatabases & { readonly books: WritableDb };

function openSite(): Site {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-turns-'));
  const books = openStore(join(folder, 'books.db'), 'books') as WritableDb;
  const cache = openStore(join(folder, 'cache.db'), 'cache');
  onTestFinished(() => {
    for (const store of [books, cache]) closeStore(store);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, books, cache, file: { site: 'acme', title: 'Acme' } as OpenSiteDatabases['file'] };
}

const addAccount = ({ books }: Site, name: string) =>
  runInTransaction(books, () =>
    books.prepare("INSERT INTO bank_account (name, kind) VALUES (?, 'bank')").run(name),
  );
const count = ({ books }: Pick<SiteSnapshot, 'books'>) =>
  books.prepare<[], number>('SELECT count(*) FROM bank_account').pluck().get() ?? 0;

/** Counts the accounts before and after other work has run. Without other work, it never ends. */
function* countTwice(snapshot: SiteSnapshot, hasOtherWorkRun: () => boolean): WorkSteps<[number, number]> {
  const before = count(snapshot);
  while (!hasOtherWorkRun()) yield;
  return [before, count(snapshot)];
}

test('runs other work in between, whose writes are not in the snapshot', async () => {
  const site = openSite();
  const snapshots = createSnapshotCache<[number, number]>(2);
  addAccount(site, 'Main');
  let otherWorkRan = false;
  const counts = snapshots(site, 'one', (snapshot) => countTwice(snapshot, () => otherWorkRan));
  setImmediate(() => {
    addAccount(site, 'Second');
    otherWorkRan = true;
  });
  expect(await counts).toEqual([1, 1]);
  expect(await snapshots(site, 'one', (snapshot) => countTwice(snapshot, () => true))).toEqual([2, 2]);
});

test('is computed once until something changes, and again after a failure', async () => {
  const site = openSite();
  const snapshots = createSnapshotCache<number>(2);
  let computed = 0;
  function* counting(): WorkSteps<number> {
    yield;
    return ++computed;
  }
  function* failing(): WorkSteps<number> {
    yield;
    throw new Error('broken');
  }
  const readSnapshot = (name = 'one', of: OpenSiteDatabases = site) => snapshots(of, name, counting);
  const [first, again, other] = await Promise.all([readSnapshot(), readSnapshot(), readSnapshot('two')]);
  expect(again).toBe(first);
  // Both computations run in turns, so either may end first.
  expect([first, other].toSorted()).toEqual([1, 2]);
  addAccount(site, 'Main');
  expect([await readSnapshot(), await readSnapshot(), await readSnapshot('two')]).toEqual([3, 3, 4]);
  expect(await readSnapshot('one', { ...site, file: { ...site.file, title: 'Renamed' } })).toBe(5);
  await expect(snapshots(site, 'three', failing)).rejects.toThrow('broken');
  expect(await readSnapshot('three')).toBe(6);
});
