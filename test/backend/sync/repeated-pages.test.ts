import { afterEach, expect, test } from 'vitest';
import { listSyncRuns } from '../../../src/backend/store/sync/sync-status.ts';
import { openWriterTestSite, type WriterTestSite } from '../writer-test-site.ts';
import { proxySandbox } from './sandbox-proxy.ts';

/** A service that always returns the first page of a list. Reading such a list would never end. */
let bench: WriterTestSite;
afterEach(() => bench.close());

/** Makes the service ignore the page number of matching requests. */
const firstPagesOnly = (of: RegExp) =>
  proxySandbox(bench, {
    changeUrl(url) {
      if (of.test(url.pathname + url.search)) url.searchParams.delete('page');
    },
  });

const expectIncomplete = () => {
  const [run] = listSyncRuns(bench.cache(), 1);
  expect(run).toMatchObject({ complete: false });
  return run?.problems.map(({ part, location }) => `${part}: ${location}`);
};

test('the newest webhooks: a repeated page leaves the sync incomplete', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 2, settings: { maxPerPage: 20 } });
  await bench.sync();
  bench.sandbox.advance({ days: 20 });
  await firstPagesOnly(/^\/webhooks.*newest/);
  await bench.sync();
  expect(expectIncomplete()).toEqual(['webhooks: the newest webhooks']);
});

test('the failed webhooks: a repeated page leaves the sync incomplete', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 4, settings: { maxPerPage: 20 } });
  await bench.sync();
  await firstPagesOnly(/^\/webhooks.*failed/);
  bench.sandbox.setEndpoint({ down: true });
  bench.sandbox.advance({ days: 3 });
  await bench.sync();
  expect(expectIncomplete()).toEqual(['webhooks: the failed webhooks']);
});

test('the statement ids of a site: a repeated page leaves the sync incomplete', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 4, settings: { idsPerPage: 20 } });
  await firstPagesOnly(/ids/);
  await bench.sync();
  expect(expectIncomplete()).toEqual(['statements: the list of statements']);
});

test('the statements of a subscription: a repeated page does not prevent a complete sync', async () => {
  bench = await openWriterTestSite({
    subscriptions: 5,
    months: 8,
    settings: { statementsPerPage: 2, maxPerPage: 20 },
  });
  await firstPagesOnly(/subscriptions\/\d+\/statements/);
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['statements'], full: true });
  expect(listSyncRuns(bench.cache(), 1)[0]).toMatchObject({ complete: true });
});

test('the allocations of a component: a repeated page leaves the sync incomplete', async () => {
  bench = await openWriterTestSite({ subscriptions: 3, months: 1 });
  await bench.sync();
  const [component] = bench.sandbox.truth.components();
  for (let n = 0; n < 60; n++)
    await fetch(
      `${bench.sandbox.url}/subscriptions/${component!.subscription_id}/components/${component!.component_id}/allocations.json`,
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`${bench.sandbox.apiKey}:x`)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ allocation: { quantity: n } }),
      },
    );
  await firstPagesOnly(/allocations/);
  await bench.sync({ full: true });
  expect(expectIncomplete()).toEqual([expect.stringMatching(/^allocations: allocations of component/)]);
});
