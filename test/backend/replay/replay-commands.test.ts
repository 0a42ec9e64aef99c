import { afterEach, expect, test } from 'vitest';
import { listAuditEntries } from '../../../src/backend/store/audit-log/audit-entry-list.ts';
import { listReplayItemsByOutcome } from '../../../src/backend/store/replay/replay.ts';
import { getReplay, getReplayPlan } from '../../../src/backend/store/replay/replay-list.ts';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import type { ContractInputs, ReplayJob } from '../../../src/contract/index.ts';
import { measureProcessTime } from '../../measure-process-time.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

let bench: WriterTestSite;
afterEach(() => bench.close());

const failedSelection = { filter: { status: 'failed' as const } };
const planReplay = (selection: ContractInputs['replay']['plan']['selection'] = failedSelection) =>
  bench.client.replay.plan({ site: SITE, selection });

function replay(job: string): ReplayJob {
  const found = getReplay(bench.books(), SITE, job);
  if (found === null) throw new Error(`There is no replay ${job}.`);
  return found;
}

/** Runs a plan to its end. */
async function runPlan(plan: string, how: Partial<ContractInputs['replay']['run']> = {}): Promise<ReplayJob> {
  const { job } = await bench.client.replay.run({ site: SITE, plan, ...how });
  await bench.waitForJob(job);
  return replay(job);
}

/** Resolves when the replay satisfies a condition. */
async function waitForReplay(job: string, wanted: (now: ReplayJob) => boolean): Promise<ReplayJob> {
  for await (const _ of await bench.client.jobs.watch({ site: SITE, job })) {
    const now = replay(job);
    if (wanted(now)) return now;
  }
  throw new Error(`The replay ended as ${JSON.stringify(replay(job))}.`);
}

const getFailedIds = () =>
  [...bench.sandbox.truth.webhooks()]
    .filter(({ successful }) => successful === false)
    .map(({ id }) => id as number);

test('replays an outage through canary and ramp until the log shows every webhook accepted', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const plan = await planReplay();
  expect(plan.count).toBe(bench.sandbox.truth.counts().failed_webhooks);
  const begun = await bench.client.replay.run({ site: SITE, plan: plan.plan });
  expect(begun).toMatchObject({ state: 'running', step: 'canary', counts: { waiting: plan.count } });
  expect(await bench.waitForJob(begun.job)).toMatchObject({
    state: 'done',
    summary: `${plan.count} accepted.`,
  });
  expect(replay(begun.job)).toMatchObject({
    state: 'done',
    counts: { accepted: plan.count, waiting: 0, failed: 0 },
  });
  expect(bench.sandbox.truth.counts().failed_webhooks).toBe(0);
  for (const item of listReplayItemsByOutcome(bench.books(), begun.job, ['accepted'])) {
    expect(bench.sandbox.truth.webhook(item.webhook_id)).toMatchObject({ successful: true });
  }
});

test('a plan is frozen, made from stored data only, and shows what it leaves out', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const ids = getFailedIds();
  const accepted = [...bench.sandbox.truth.webhooks()].find(({ successful }) => successful === true);
  bench.sandbox.requests.reset();
  const plan = await planReplay({ ids: [...ids, accepted?.['id'] as number, 5, 5] });
  expect(bench.sandbox.requests.total).toBe(0);
  expect(plan).toMatchObject({ count: ids.length, excluded: { accepted: 1, unknown: 1 }, retrying: 0 });
  expect(plan.by_event.reduce((sum, { count }) => sum + count, 0)).toBe(ids.length);
  expect(plan.by_day.reduce((sum, { count }) => sum + count, 0)).toBe(ids.length);
  const kept = prepareSql<number>(bench.books(), 'SELECT webhook_id FROM replay_plan_item ORDER BY ordinal')
    .pluck()
    .all();
  expect(kept).toEqual(ids);

  const also = await bench.client.replay.plan({
    site: SITE,
    selection: { ids: [accepted?.['id'] as number] },
    include_accepted: true,
  });
  expect(also).toMatchObject({ count: 1, excluded: { accepted: 0 } });
  const again = await runPlan(also.plan);
  expect(again).toMatchObject({ state: 'done', counts: { accepted: 1 } });
});

test('with the endpoint down, one webhook is sent before the replay stops; it can be resumed', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2, settings: { timeScale: 0.0001 } });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  bench.sandbox.setEndpoint({ down: true });
  const stopped = await runPlan(plan);
  expect(stopped).toMatchObject({ state: 'stopped', counts: { failed: 1, waiting: count - 1 } });
  expect(stopped.reason).toContain('503');
  expect(bench.sandbox.requests.byKind.replay).toBe(1);

  // The service gives up its own retries before the endpoint recovers.
  await bench.sandbox.idle();
  bench.sandbox.setEndpoint({});
  const { job } = await bench.client.replay.resume({ site: SITE, job: stopped.job });
  expect(job).toBe(stopped.job);
  await bench.waitForJob(job);
  expect(replay(job)).toMatchObject({
    state: 'done',
    counts: { waiting: 0, accepted: count - 1, failed: 1 },
  });

  const rest = await bench.client.replay.retryFailures({ site: SITE, job });
  expect(rest.count).toBe(1);
  expect(await runPlan(rest.plan)).toMatchObject({ state: 'done', counts: { accepted: 1 } });
  expect(bench.sandbox.truth.counts().failed_webhooks).toBe(0);
});

test('with an unreliable endpoint, outcomes agree with the log, and only failures are offered again', async () => {
  bench = await openWriterTestSite({ subscriptions: 60, months: 2, settings: { retryAfter: [] } });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  bench.sandbox.setEndpoint({ failRate: 0.1, status: 500 });
  const done = await runPlan(plan, { mode: 'safe' });
  expect(done.state).toBe('done');
  await bench.sandbox.idle();
  const still = getFailedIds().length;
  expect(still).toBeGreaterThan(0);
  expect(done.counts).toMatchObject({ waiting: 0, failed: still, accepted: count - still });
  const next = await bench.client.replay.retryFailures({ site: SITE, job: done.job });
  expect(next).toMatchObject({ count: still, retrying: still });
  expect(next.retrying_until).not.toBeNull();
});

test('an endpoint that goes down opens the breaker within 20 outcomes, and sending continues on recovery', async () => {
  bench = await openWriterTestSite({ subscriptions: 200, months: 2, settings: { retryAfter: [] } });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  const { job } = await bench.client.replay.run({ site: SITE, plan, mode: 'safe', batch_size: 5 });
  await waitForReplay(job, ({ counts }) => counts.accepted >= 11);
  bench.sandbox.setEndpoint({ down: true });
  const open = await waitForReplay(job, ({ state }) => state === 'paused');
  expect(open.reason).toContain('stopped accepting');
  expect(open.counts.failed).toBeLessThanOrEqual(24);
  bench.sandbox.setEndpoint({});
  await bench.waitForJob(job);
  const done = replay(job);
  expect(done).toMatchObject({ state: 'done', counts: { waiting: 0 } });
  expect(done.counts.accepted + done.counts.failed).toBe(count);
});

test('a paused replay sends nothing until resumed; a canceled one shows what cannot be recalled', async () => {
  bench = await openWriterTestSite({ subscriptions: 150, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  const { job } = await bench.client.replay.run({ site: SITE, plan, batch_size: 3, mode: 'safe' });
  await waitForReplay(job, ({ counts }) => counts.accepted >= 6);
  expect(await bench.client.replay.pause({ site: SITE, job })).toMatchObject({ state: 'paused' });
  const paused = await waitForReplay(job, ({ counts }) => counts.queued + counts.sending === 0);
  const posts = bench.sandbox.requests.byKind.replay;
  expect(paused.counts.waiting).toBeGreaterThan(0);
  await expect(bench.client.replay.run({ site: SITE, plan })).rejects.toMatchObject({ code: 'conflict' });
  expect(bench.sandbox.requests.byKind.replay).toBe(posts);

  await bench.client.replay.resume({ site: SITE, job });
  await waitForReplay(job, ({ counts }) => counts.accepted > paused.counts.accepted);
  const canceled = await bench.client.replay.cancel({ site: SITE, job });
  expect(canceled.state).toBe('canceled');
  expect(canceled.reason).toMatch(/^Canceled\. /);
  expect(canceled.counts.waiting).toBeGreaterThan(0);
  expect(Object.values(canceled.counts).reduce((sum, each) => sum + each, 0)).toBe(count);
});

test('an interrupted replay continues where it was and sends nothing twice', async () => {
  bench = await openWriterTestSite({ subscriptions: 60, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  const { job } = await bench.client.replay.run({ site: SITE, plan, batch_size: 10 });
  await waitForReplay(job, ({ counts }) => counts.accepted >= 10);
  await bench.reopen();
  expect(replay(job).state).toBe('interrupted');
  await bench.client.replay.resume({ site: SITE, job });
  await bench.waitForJob(job);
  expect(replay(job)).toMatchObject({ state: 'done', counts: { accepted: count } });
  await bench.sandbox.idle();
  expect([...bench.sandbox.accepted.values()].filter((times) => times > 1)).toEqual([]);
});

test('fast mode stays near the minimum number of requests', async () => {
  const faults = { endpoint_down: ['2026-10-01T04:00:00Z', '2026-10-20T04:00:00Z'] as const };
  // The delays are long enough for every delivery to finish before a poll. A poll that is too early costs another
  // request.
  bench = await openWriterTestSite(
    { subscriptions: 150, months: 2, faults },
    { pacing: {}, delayScale: 1.5 },
  );
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  expect(count).toBeGreaterThan(300);
  const done = await runPlan(plan, { mode: 'fast', batch_size: 1000 });
  expect(done).toMatchObject({ state: 'done', counts: { accepted: count } });
  expect(done.requests.minimum).toBe(Math.ceil(count / 1000) + Math.ceil(count / 200));
  // The first three steps of the ramp always take two requests each.
  expect(done.requests.total).toBeLessThanOrEqual(1.5 * done.requests.minimum + 6);
});

test('the first poll sees a single webhook accepted a second after it was sent', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 2 }, { pacing: {}, delayScale: 1 });
  await bench.sync({ only: ['webhooks'] });
  const { plan } = await planReplay({ ids: getFailedIds().slice(0, 1) });
  const replayed = async () =>
    expect(await runPlan(plan)).toMatchObject({
      state: 'done',
      // Requests: the connection test, the post and one poll.
      requests: { total: 3, minimum: 2 },
      counts: { accepted: 1 },
    });
  expect(await measureProcessTime(replayed)).toBeLessThan(5000);
});

test('a refused batch is halved until it is accepted; a single refused webhook does not stop the rest', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2, settings: { replayLimit: 3 } });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  const done = await runPlan(plan, { mode: 'safe' });
  expect(done).toMatchObject({ state: 'done', counts: { accepted: count, refused: 0, waiting: 0 } });
  expect([...bench.sandbox.accepted.values()].filter((times) => times > 1)).toEqual([]);
});

test('a post with a lost answer is looked up in the log and not sent again', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  bench.sandbox.setFaults({ lost_answer_rate: 1, only: ['replay'], after: 1, times: 2 });
  const done = await runPlan(plan, { mode: 'safe' });
  expect(done).toMatchObject({ state: 'done', counts: { accepted: count } });
  expect([...bench.sandbox.accepted.values()].filter((times) => times > 1)).toEqual([]);
});

test('a post that never arrived is sent again after the log shows no change for long enough', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  bench.sandbox.setFaults({ cut_rate: 1, only: ['replay'], after: 1, times: 1 });
  const done = await runPlan(plan, { mode: 'safe' });
  expect(done).toMatchObject({ state: 'done', counts: { accepted: count } });
  expect([...bench.sandbox.accepted.values()].filter((times) => times > 1)).toEqual([]);
});

test('a refused key pauses a replay; with the right key it continues', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  const { job } = await bench.client.replay.run({ site: SITE, plan });
  await waitForReplay(job, ({ counts }) => counts.accepted >= 1);
  bench.keys.set(SITE, 'another');
  const paused = await waitForReplay(job, ({ state }) => state === 'paused');
  expect(paused.paused_by).toBe('key');
  expect(paused.reason).toContain('rejected the API key');
  bench.keys.set(SITE, bench.sandbox.apiKey);
  await bench.client.replay.resume({ site: SITE, job });
  await bench.waitForJob(job);
  expect(replay(job)).toMatchObject({ state: 'done', counts: { accepted: count } });
});

test('an outdated log is read before sending, and webhooks accepted since are not sent', async () => {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  bench = await openWriterTestSite(
    { subscriptions: 40, months: 2 },
    { pacing: { delayScale: 0.001 }, delayScale: 0.01, now },
  );
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  const early = getFailedIds().slice(0, 5);
  await fetch(`${bench.sandbox.url}/webhooks/replay.json`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${bench.sandbox.apiKey}:x`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ids: early }),
  });
  await bench.sandbox.idle();
  ahead += 3_600_000;
  expect(await runPlan(plan)).toMatchObject({ state: 'done', counts: { accepted: count } });
  for (const id of early) expect(bench.sandbox.accepted.get(id)).toBe(1);
});

test('a double click, a second process or a repeated plan sends nothing twice', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  const other = bench.openSecondWriter();
  const clicks = await Promise.allSettled([
    bench.client.replay.run({ site: SITE, plan }),
    bench.client.replay.run({ site: SITE, plan }),
    other.client.replay.run({ site: SITE, plan }),
    other.client.replay.run({ site: SITE, plan }),
  ]);
  const [begun, ...more] = clicks.filter((click) => click.status === 'fulfilled').map(({ value }) => value);
  expect(more).toEqual([]);
  for (const click of clicks) {
    if (click.status === 'rejected') expect(click.reason).toMatchObject({ code: 'conflict' });
  }
  const job = begun?.job ?? '';
  while (replay(job).state === 'running')
    await Promise.race([bench.waitForJob(job), other.waitForJob(job)].map(settleOrHang));
  expect(replay(job)).toMatchObject({ state: 'done', counts: { accepted: count } });
  await expect(bench.client.replay.run({ site: SITE, plan })).rejects.toMatchObject({ code: 'conflict' });
  await expect(other.client.replay.run({ site: SITE, plan })).rejects.toMatchObject({ code: 'conflict' });
  expect([...bench.sandbox.accepted.values()].filter((times) => times > 1)).toEqual([]);
});

/** A job is known only in the process that runs it. */
const settleOrHang = (job: Promise<unknown>) => job.catch(() => new Promise(() => {}));

test('a replay of a crashed process can be resumed although its state is running', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan, count } = await planReplay();
  const other = bench.openSecondWriter();
  // Opened while the first process runs the replay, so that it finds no interrupted job.
  const { job } = await bench.client.replay.run({ site: SITE, plan });
  await waitForReplay(job, ({ counts }) => counts.accepted >= 1);
  expect(await other.client.replay.pause({ site: SITE, job })).toMatchObject({ job });
  await bench.reopen();
  prepareSql(bench.writableBooks(), "UPDATE replay_job SET state = 'running', ended_at = NULL").run();
  await other.client.replay.resume({ site: SITE, job });
  await other.waitForJob(job);
  expect(replay(job)).toMatchObject({ state: 'done', counts: { accepted: count } });
  expect([...bench.sandbox.accepted.values()].filter((times) => times > 1)).toEqual([]);
});

test('without network no replay starts, and the error says so', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan } = await planReplay();
  await bench.sandbox.close();
  const run = bench.client.replay.run({ site: SITE, plan });
  await expect(run).rejects.toMatchObject({
    code: 'network',
    message: expect.stringContaining('The replay was not started'),
  });
  expect(prepareSql<number>(bench.books(), 'SELECT count(*) FROM replay_job').pluck().get()).toBe(0);
});

test('an unused plan can be deleted, one that was run cannot', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan } = await planReplay();
  expect(await bench.client.replay.discardPlan({ site: SITE, plan, reason: 'A mistake' })).toEqual({});
  expect(getReplayPlan(bench.books(), SITE, plan)).toBeNull();
  await expect(bench.client.replay.run({ site: SITE, plan })).rejects.toMatchObject({ code: 'not_found' });
  expect(bench.books().prepare('SELECT count(*) FROM replay_plan_item').pluck().get()).toBe(0);
  const { rows } = listAuditEntries(bench.books(), { filter: { subject: plan }, limit: 5 });
  expect(rows).toMatchObject([
    { action: 'replay.discardPlan', reason: 'A mistake' },
    { action: 'replay.plan' },
  ]);

  const done = await runPlan((await planReplay()).plan);
  await expect(bench.client.replay.discardPlan({ site: SITE, plan: done.plan })).rejects.toMatchObject({
    code: 'conflict',
    data: { detail: { job: done.job } },
  });
});

test('a service clock a day behind its records does not delay a replay by a day', async () => {
  bench = await openWriterTestSite(
    {
      subscriptions: 30,
      months: 2,
      faults: { skew: -90_000 },
      settings: { retryAfter: [3600], queueDelay: 1 },
    },
    { pacing: { delayScale: 0 }, delayScale: 0.001 },
  );
  // Another client resent a webhook without success, so the service will retry it once more.
  const [id] = getFailedIds();
  bench.sandbox.setEndpoint({ failRate: 1, status: 503 });
  const authorization = `Basic ${btoa(`${bench.sandbox.apiKey}:x`)}`;
  await fetch(`${bench.sandbox.url}/webhooks/replay.json`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ ids: [id] }),
  });
  await expect.poll(() => String(bench.sandbox.truth.webhook(id!)?.['last_error'])).toContain('retry 1');
  await bench.sync({ only: ['webhooks'] });
  bench.sandbox.setEndpoint({});
  const plan = await planReplay({ ids: [id!] });
  expect(plan).toMatchObject({ count: 1, retrying: 1 });
  expect(await runPlan(plan.plan)).toMatchObject({ state: 'done', counts: { accepted: 1 } });
});
