import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type HeldSite, keeperInTurns } from '../../../src/backend/periods/kept-in-turns.ts';
import type { SiteSnapshot } from '../../../src/backend/report/snapshot.ts';
import type { Steps } from '../../../src/backend/steps.ts';
import { commit, type WritableDb } from '../../../src/backend/store/database.ts';
import { closeStore, openStore } from '../../../src/backend/store/open.ts';

type Site = HeldSite & { readonly books: WritableDb };

function openSite(): Site {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-turns-'));
  const books = openStore(join(folder, 'books.db'), 'books') as WritableDb;
  const cache = openStore(join(folder, 'cache.db'), 'cache');
  onTestFinished(() => {
    for (const store of [books, cache]) closeStore(store);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, books, cache, file: { site: 'acme', title: 'Acme' } as HeldSite['file'] };
}

const addAccount = ({ books }: Site, name: string) =>
  commit(books, () => books.prepare("INSERT INTO bank_account (name, kind) VALUES (?, 'bank')").run(name));
const count = ({ books }: Pick<SiteSnapshot, 'books'>) =>
  books.prepare<[], number>('SELECT count(*) FROM bank_account').pluck().get() ?? 0;

/** Counts the accounts before and after others had a turn; without one it would never end. */
function* countedTwice(snapshot: SiteSnapshot, hadTurn: () => boolean): Steps<[number, number]> {
  const before = count(snapshot);
  while (!hadTurn()) yield;
  return [before, count(snapshot)];
}

test('others have their turn meanwhile, and what they write is not seen', async () => {
  const site = openSite();
  const kept = keeperInTurns<[number, number]>(2);
  addAccount(site, 'Main');
  let turn = false;
  const made = kept(site, 'one', (snapshot) => countedTwice(snapshot, () => turn));
  setImmediate(() => {
    addAccount(site, 'Second');
    turn = true;
  });
  expect(await made).toEqual([1, 1]);
  expect(await kept(site, 'one', (snapshot) => countedTwice(snapshot, () => true))).toEqual([2, 2]);
});

test('is made once until something changes, and anew after it failed', async () => {
  const site = openSite();
  const kept = keeperInTurns<number>(2);
  let made = 0;
  function* counting(): Steps<number> {
    yield;
    return ++made;
  }
  function* failing(): Steps<number> {
    yield;
    throw new Error('broken');
  }
  const look = (name = 'one', of: HeldSite = site) => kept(of, name, counting);
  expect(await Promise.all([look(), look(), look('two')])).toEqual([1, 1, 2]);
  addAccount(site, 'Main');
  expect([await look(), await look(), await look('two')]).toEqual([3, 3, 4]);
  expect(await look('one', { ...site, file: { ...site.file, title: 'Renamed' } })).toBe(5);
  await expect(kept(site, 'three', failing)).rejects.toThrow('broken');
  expect(await look('three')).toBe(6);
});
