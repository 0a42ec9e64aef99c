import { afterEach, expect, test } from 'vitest';
import { listSyncRuns } from '../../../../src/backend/store/sync/sync-status.ts';
import { findWebhookDifferences } from '../../find-differences.ts';
import { openWriterTestSite, type WriterTestSite } from '../../writer-test-site.ts';
import { replayOutsideApp } from '../replay-outside-app.ts';
import { proxySandbox } from '../sandbox-proxy.ts';

/** The list of failed webhooks may change while it is read. No webhook may be skipped without being noticed. */
let bench: WriterTestSite;
afterEach(() => bench.close());

const PAGE = 30;
const run = () => listSyncRuns(bench.cache(), 1)[0];
const isSweep = (path: string) => path.includes('status=failed');
const idsOf = (successful: boolean) =>
  [...bench.sandbox.truth.webhooks()]
    .filter((webhook) => webhook['successful'] === successful)
    .map(({ id }) => id as number);

/**
 * Makes `count` accepted webhooks of a synced log fail after another client resends them. No list of changes shows this.
 */
async function failAgain(count: number): Promise<void> {
  bench = await openWriterTestSite({
    ...{ subscriptions: 30, months: 3, webhooks: 800, outage: false },
    settings: { maxPerPage: PAGE, retryAfter: [], queueDelay: 1, pauseAfter: 0 },
  });
  await bench.sync({ only: ['webhooks'] });
  const accepted = idsOf(true);
  bench.sandbox.setEndpoint({ down: true });
  // The webhooks are spread over the complete log.
  const some = accepted.filter((_, index) => index % Math.floor(accepted.length / count) === 0);
  await replayOutsideApp(bench, some.slice(0, count));
  bench.sandbox.setEndpoint({});
  expect(idsOf(false)).toHaveLength(count);
}

test('rows accepted while the end of the list is searched cause no missed rows', async () => {
  await failAgain(5 * PAGE + 7);
  const failed = idsOf(false);
  let sweeps = 0;
  await proxySandbox(bench, {
    async delayRequest(path) {
      if (isSweep(path) && ++sweeps === 3) await replayOutsideApp(bench, failed.slice(0, 5));
    },
  });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  // The accepted webhooks were read before they changed, or not at all.
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toSatisfy((found: string[]) =>
    found.every((line) => failed.slice(0, 5).some((id) => line.includes(String(id)))),
  );
  await bench.sync({ only: ['webhooks'] });
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('shorter pages are noticed during a sweep, and the list is read again', async () => {
  await failAgain(3 * PAGE + 7);
  await bench.sync({ only: ['webhooks'] });
  const more = idsOf(true).slice(0, 2 * PAGE);
  bench.sandbox.setEndpoint({ down: true });
  await replayOutsideApp(bench, more);
  let asked = 0;
  await proxySandbox(bench, {
    async delayRequest(path) {
      // The sweep from the end of the list has started.
      if (isSweep(path) && ++asked === 6) bench.sandbox.setFaults({ set: { maxPerPage: 22 } });
    },
  });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('a row that pushes another one to an already read page is noticed', async () => {
  await failAgain(4 * PAGE + 7);
  await bench.sync({ only: ['webhooks'] });
  const [first, second] = idsOf(true);
  let asked = 0;
  await proxySandbox(bench, {
    async delayRequest(path) {
      if (!isSweep(path)) return;
      bench.sandbox.setEndpoint({ down: true });
      // One webhook is resent before the sync reads the list, the other while it does.
      if (++asked === 1) await replayOutsideApp(bench, [second as number]);
      if (asked === 4) await replayOutsideApp(bench, [first as number]);
    },
  });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('a list with only full pages takes one more page to verify, not all pages', async () => {
  await failAgain(4 * PAGE);
  // Recently sent webhooks are read again in each sync.
  bench.sandbox.advance({ days: 1 });
  await bench.sandbox.idle();
  await bench.sync({ only: ['webhooks'] });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, rows: {}, requests: { total: 3, minimum: 3 } });
});
