import { getReplay } from '../../src/backend/store/replay/replay-list.ts';
import { prepareSql } from '../../src/backend/store/sqlite/connection.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../backend/writer-test-site.ts';
import { printMeasurement } from './measure.ts';

/**
 * Replays a four-hour outage on the day of the renewals: about 30,000 webhooks that were not accepted, sent by the writer
 * to a sandbox that posts each of them. `node test/bench/replay.ts [subscriptions] [mode …]`.
 *
 * Prints the requests compared with the minimum, ceil(K/B) + ceil(K/P), the outcomes that differ from the sandbox's
 * records (must be 0), and the maximum number queued at the service, as counted there. Exits with 1 if outcomes are
 * wrong, fast mode makes more than 1.5 times the requests, or safe mode had more than 24 unresolved.
 */

const [size = '52000', ...named] = process.argv.slice(2);
const subscriptions = Number(size);
const modes = (['fast', 'adaptive', 'safe'] as const).filter(
  (mode) => named.length === 0 || named.includes(mode),
);
/** Fast mode uses the app's waits. The waits of the other modes are shortened. */
const delayScales = { fast: 1, adaptive: 0.1, safe: 0.02 };
const PER_PAGE = 200;
const SAFE_MODE_LIMIT = 24;

let bad = false;
const expectTrue = (holds: boolean, what: string) => {
  if (holds) return;
  bad = true;
  process.stderr.write(`${what}\n`);
};

for (const mode of modes) {
  const bench = await openWriterTestSite(
    {
      subscriptions,
      months: 1,
      outage: false,
      faults: { endpoint_down: ['2026-10-01T10:00:00Z', '2026-10-01T14:00:00Z'] },
      settings: { sendersAtOnce: 32, queueDelay: 20 },
    },
    { pacing: {}, delayScale: delayScales[mode] },
  );
  try {
    await measure(bench, mode);
  } finally {
    await bench.close();
  }
}
process.exit(bad ? 1 : 0);

async function measure(bench: WriterTestSite, mode: (typeof modes)[number]): Promise<void> {
  const { sandbox, client } = bench;
  const failed = sandbox.truth.counts().failed_webhooks;
  await bench.sync({ only: ['webhooks'] });
  const plan = await client.replay.plan({ site: SITE, selection: { filter: { status: 'failed' } } });
  expectTrue(plan.count === failed, `${mode}: ${plan.count} planned of ${failed}.`);
  const begun = performance.now();
  const { job } = await client.replay.run({ site: SITE, plan: plan.plan, mode });
  await bench.waitForJob(job);
  const seconds = (performance.now() - begun) / 1000;
  await sandbox.idle();

  const replay = getReplay(bench.books(), SITE, job);
  const wrong = countWrongOutcomes(bench, job);
  const { total = 0, minimum = 0 } = replay?.requests ?? {};
  const allowedRequests = Math.ceil(failed / (replay?.batch_size ?? 1)) + Math.ceil(failed / PER_PAGE);
  const { max_queued, withheld } = sandbox.deliveries();
  expectTrue(
    replay?.state === 'done' && replay.counts.accepted === failed,
    `${mode}: ${JSON.stringify(replay)}`,
  );
  expectTrue(
    minimum === allowedRequests,
    `${mode}: the least is told as ${minimum}, it is ${allowedRequests}.`,
  );
  expectTrue(wrong === 0, `${mode}: ${wrong} outcomes are not the sandbox’s.`);
  expectTrue(withheld === 0, `${mode}: the endpoint was paused.`);
  // The steps before full speed cost two requests each.
  if (mode === 'fast')
    expectTrue(
      total <= 1.5 * allowedRequests + 6,
      `fast: ${total} requests, the least is ${allowedRequests}.`,
    );
  if (mode === 'safe') expectTrue(max_queued <= SAFE_MODE_LIMIT, `safe: ${max_queued} were queued at once.`);

  const n = failed;
  const ratio = (value: number, baseline: number) => ({
    value,
    baseline,
    ratio: value / baseline,
    n,
    spread: 0,
  });
  printMeasurement({ name: `replay.${mode}.requests`, unit: 'requests', ...ratio(total, allowedRequests) });
  printMeasurement({
    name: `replay.${mode}.wrong_outcomes`,
    unit: 'webhooks',
    value: wrong,
    baseline: 0,
    ratio: 1,
    n,
    spread: 0,
  });
  printMeasurement({
    name: `replay.${mode}.queued_at_once`,
    unit: 'webhooks',
    ...ratio(max_queued, mode === 'safe' ? SAFE_MODE_LIMIT : 1000),
  });
  printMeasurement({
    name: `replay.${mode}.rate`,
    unit: 'webhooks/s',
    ...ratio(failed / seconds, failed / seconds),
  });
}

/** Webhooks whose reported outcome differs from the sandbox's records, or that were delivered more than once. */
function countWrongOutcomes({ sandbox, books }: WriterTestSite, job: string): number {
  const items = prepareSql<[number, string]>(
    books(),
    'SELECT webhook_id, outcome FROM replay_item WHERE job = ?',
  )
    .raw()
    .all(job) as [number, string][];
  return items.filter(([id, outcome]) => {
    const accepted = sandbox.truth.webhook(id)?.['successful'] === true;
    return accepted !== (outcome === 'accepted') || sandbox.accepted.get(id) !== (accepted ? 1 : undefined);
  }).length;
}
