import { afterEach, expect, test } from 'vitest';
import { listRuns } from '../../../../src/backend/store/sync/sync-status.ts';
import { webhookDifferences } from '../../truth.ts';
import { openWorkbench, type Workbench } from '../../workbench.ts';
import { replayByHand } from '../by-hand.ts';
import { between } from '../proxy.ts';

/** Rows leave the list of the failed, and get among it, while it is read: none of it is passed by unseen. */
let bench: Workbench;
afterEach(() => bench.close());

const PAGE = 30;
const run = () => listRuns(bench.cache(), 1)[0];
const isSweep = (path: string) => path.includes('status=failed');
const idsOf = (successful: boolean) =>
  [...bench.sandbox.truth.webhooks()]
    .filter((webhook) => webhook['successful'] === successful)
    .map(({ id }) => id as number);

/** A held log in which so many were accepted, and then failed when somebody else sent them again: no list of changes tells of it. */
async function failAgain(count: number): Promise<void> {
  bench = await openWorkbench({
    ...{ subscriptions: 30, months: 3, webhooks: 800, outage: false },
    settings: { maxPerPage: PAGE, retryAfter: [], queueDelay: 1, pauseAfter: 0 },
  });
  await bench.sync({ only: ['webhooks'] });
  const accepted = idsOf(true);
  bench.sandbox.setEndpoint({ down: true });
  // All over the log.
  const some = accepted.filter((_, index) => index % Math.floor(accepted.length / count) === 0);
  await replayByHand(bench, some.slice(0, count));
  bench.sandbox.setEndpoint({});
  expect(idsOf(false)).toHaveLength(count);
}

test('rows accepted while the end of the list is looked for make none of the others missed', async () => {
  await failAgain(5 * PAGE + 7);
  const failed = idsOf(false);
  let sweeps = 0;
  await between(bench, {
    async hold(path) {
      if (isSweep(path) && ++sweeps === 3) await replayByHand(bench, failed.slice(0, 5));
    },
  });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  // Those that were accepted were read before, or not at all.
  expect(webhookDifferences(bench.cache(), bench.sandbox.truth)).toSatisfy((found: string[]) =>
    found.every((line) => failed.slice(0, 5).some((id) => line.includes(String(id)))),
  );
  await bench.sync({ only: ['webhooks'] });
  expect(webhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('pages that become shorter between two of the list are noticed, and it is read again at once', async () => {
  await failAgain(3 * PAGE + 7);
  await bench.sync({ only: ['webhooks'] });
  const more = idsOf(true).slice(0, 2 * PAGE);
  bench.sandbox.setEndpoint({ down: true });
  await replayByHand(bench, more);
  let asked = 0;
  await between(bench, {
    async hold(path) {
      // The walk down from the end is under way.
      if (isSweep(path) && ++asked === 6) bench.sandbox.setFaults({ set: { maxPerPage: 22 } });
    },
  });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  expect(webhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('a row that got among those before it pushes another one out of sight, which is noticed by where that one stands', async () => {
  await failAgain(4 * PAGE + 7);
  await bench.sync({ only: ['webhooks'] });
  const [first, second] = idsOf(true);
  let asked = 0;
  await between(bench, {
    async hold(path) {
      if (!isSweep(path)) return;
      bench.sandbox.setEndpoint({ down: true });
      // One before the sync looks at the list; one while it is read.
      if (++asked === 1) await replayByHand(bench, [second as number]);
      if (asked === 4) await replayByHand(bench, [first as number]);
    },
  });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  expect(webhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('a list that fills its pages to the row costs one page more to be known as it was, not all of them', async () => {
  await failAgain(4 * PAGE);
  // Those sent a moment ago are read again each time.
  bench.sandbox.advance({ days: 1 });
  await bench.sandbox.idle();
  await bench.sync({ only: ['webhooks'] });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, rows: {}, requests: { total: 3, minimum: 3 } });
});
