import { afterEach, expect, test } from 'vitest';
import { type LeanSync, openLeanSync } from '../../faults/lean-sync.ts';
import { findDifferences } from '../find-differences.ts';

/** The service decides how many rows a page has. It may change the size between syncs and during one. */
let bench: LeanSync;
afterEach(() => bench.close());

async function openSite(maxPerPage: number, webhooks: number, idsPerPage = 10_000): Promise<void> {
  bench = await openLeanSync(
    { subscriptions: 14, months: 4, webhooks, settings: { maxPerPage, idsPerPage } },
    { format: 'json', now: Date.now },
  );
}
const size = (maxPerPage: number) => bench.sandbox.setFaults({ set: { maxPerPage } });

/** Runs a sync. `changes` maps the number of a request to the page size that the service uses from then on. */
function syncWith(changes: Readonly<Record<number, number>>, full = false) {
  let answered = 0;
  bench.sandbox.requests.reset();
  return bench.sync({
    full,
    end() {
      for (const { total } = bench.sandbox.requests; answered <= total; answered++) {
        const to = changes[answered + 1];
        if (to !== undefined) size(to);
      }
      return null;
    },
  });
}

async function expectCompleteSync(sync: ReturnType<typeof syncWith>): Promise<void> {
  const { complete, error } = await sync;
  expect(error).toBe(null);
  expect(complete).toBe(true);
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
}

test.each([
  ['after the first one', 200, 1100, { 2: 50 }],
  ['a few pages on', 200, 1100, { 4: 50 }],
  ['twice', 200, 1100, { 3: 100, 6: 40 }],
  ['and larger again', 200, 1100, { 3: 40, 9: 200 }],
  ['while windows are walked side by side', 50, 3000, { 35: 20 }],
  ['when windows are near their end', 50, 3000, { 59: 20 }],
])('pages become smaller during a sync: %s', async (_, from, webhooks, changes) => {
  await openSite(from, webhooks);
  await expectCompleteSync(syncWith(changes));
});

test.each([[2], [3], [5]])('pages become smaller before request %i of a later sync', async (request) => {
  await openSite(100, 700);
  await bench.sync();
  bench.sandbox.advance({ months: 5 });
  await expectCompleteSync(syncWith({ [request]: 30 }));
});

test('larger pages are requested from the next sync on', async () => {
  await openSite(20, 700);
  await bench.sync();
  size(200);
  await expectCompleteSync(syncWith({}, true));
  expect(bench.sandbox.requests.byKind.webhooks).toBeLessThanOrEqual(Math.floor(700 / 200) + 2);
});

test('an interrupted window continues at its position, also in smaller pages', async () => {
  await openSite(200, 1100);
  bench.sandbox.setFaults({ error_rate: 1, only: ['webhooks'], after: 4 });
  expect((await bench.sync()).complete).toBe(false);
  bench.sandbox.setFaults({ set: { maxPerPage: 60 } });
  await expectCompleteSync(syncWith({}));
  expect(bench.sandbox.requests.byKind.webhooks).toBeLessThanOrEqual((1100 - 600) / 60 + 4);
});

test.each([20, 50])('a service that returns %i statement ids per page', async (idsPerPage) => {
  await openSite(200, 300, idsPerPage);
  await expectCompleteSync(syncWith({}));
  const { statements } = bench.sandbox.truth.counts();
  expect(statements).toBeGreaterThan(idsPerPage);
  expect(bench.sandbox.requests.byKind.statement_ids).toBeLessThanOrEqual(
    Math.floor(statements / idsPerPage) + 1,
  );

  bench.sandbox.advance({ months: 2 });
  await expectCompleteSync(syncWith({}));
  const more = bench.sandbox.truth.counts().statements - statements;
  expect(bench.sandbox.requests.byKind.statement_ids).toBeLessThanOrEqual(Math.ceil(more / idsPerPage) + 1);
});
