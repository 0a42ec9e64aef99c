import { expect, test } from 'vitest';
import { listSyncRuns } from '../../src/backend/store/sync/sync-status.ts';
import type { ContractInputs } from '../../src/contract/index.ts';
import type { FaultSpec } from '../../src/sandbox/index.ts';
import { findDifferences } from '../backend/find-differences.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../backend/writer-test-site.ts';
import { type Chance, chance } from './chance.ts';
import { DAY, TROUBLES } from './troubles.ts';

/**
 * Runs fewer histories of `sync-model.test.ts` with the app's complete writer: jobs, checks, search, restarts and
 * replays.
 *
 * `MODEL_SEEDS=500 npm run test:unit -- test/faults/sync-app-model` runs more, and `MODEL_FROM` sets the first seed.
 */
const SEEDS = Number(process.env['MODEL_SEEDS'] ?? 4);
const FROM = Number(process.env['MODEL_FROM'] ?? 1);

/** Offset of our clock from the computer's, in ms. */
interface Clock {
  ahead: number;
}

const WIRE: readonly FaultSpec[] = [
  ...TROUBLES,
  { latency: [0, 5], concurrency: 2 },
  { skew: 7200 },
  { skew: -90_000 },
];

async function live(seed: number): Promise<string[]> {
  const dice = chance(seed);
  const clock: Clock = { ahead: 0 };
  const ties: FaultSpec = dice.is(0.3) ? { tie_seconds: dice.one([60, 3600, 86_400]) } : {};
  const bench = await openWriterTestSite(
    {
      seed,
      subscriptions: 6 + dice.below(15),
      months: 1 + dice.below(3),
      faults: ties,
      settings: {
        maxPerPage: dice.one([20, 25, 50, 200]),
        timeZone: dice.one(['America/New_York', 'Pacific/Kiritimati', 'Etc/GMT+12', 'UTC']),
        statementsPerPage: dice.one([3, 20]),
        statementsDirection: dice.one(['asc', 'desc']),
        retryAfter: [0.02, 0.02],
        timeScale: 1,
        queueDelay: 1,
      },
    },
    { pacing: { delayScale: 0, maxAttempts: 5 }, delayScale: 0.001, now: () => Date.now() + clock.ahead },
  );
  const log: string[] = [];
  try {
    for (let step = 3 + dice.below(6); step > 0; step--) await act(bench, clock, dice, log);
    bench.sandbox.setFaults({});
    bench.sandbox.setEndpoint({});
    await bench.sandbox.idle();
    clock.ahead += DAY;
    const last = await synced(bench, {}, log);
    if (last !== 'complete') return [`the last sync was ${last}`, ...log];
    const found = findDifferences(bench.cache(), bench.sandbox.truth);
    return found.length === 0 ? [] : [...found, ...log];
  } catch (error) {
    return [String(error), ...log];
  } finally {
    await bench.close();
  }
}

const DOINGS = [
  ...(['sync', 'check', 'stop', 'restart'] as const),
  ...(['arrive', 'arrive', 'endpoint', 'by hand', 'replay', 'wire'] as const),
];

async function act(bench: WriterTestSite, clock: Clock, dice: Chance, log: string[]): Promise<void> {
  const { sandbox } = bench;
  const doing = dice.one(DOINGS);
  log.push(doing);
  switch (doing) {
    case 'sync':
      await synced(bench, {}, log);
      return;
    case 'check':
      await sandbox.idle();
      clock.ahead += DAY;
      await checked(bench, {}, log);
      return;
    case 'stop': {
      const { job } = await bench.client.sync.start({ site: SITE, full: dice.is(0.2) });
      const enough = sandbox.requests.total + 1 + dice.below(30);
      for await (const now of await bench.client.jobs.watch({ site: SITE, job })) {
        if (now.ended_at !== null || sandbox.requests.total >= enough) break;
      }
      await bench.client.jobs.cancel({ site: SITE, job });
      return;
    }
    case 'restart':
      await bench.client.sync.start({ site: SITE });
      await new Promise((resolve) => setImmediate(resolve));
      await bench.reopen();
      return;
    case 'arrive': {
      const days = dice.one([0.02, 0.3, 1, 7, 33]);
      sandbox.advance({ days });
      // Sets the clock right or wrong now and then.
      if (dice.is(0.7)) clock.ahead += days * DAY;
      else if (dice.is(0.2)) clock.ahead -= 2 * DAY;
      return;
    }
    case 'endpoint':
      sandbox.setEndpoint(dice.one([{}, { down: true }, { failRate: 0.3, status: 500 }]));
      return;
    case 'wire':
      sandbox.setFaults({ ...dice.one(WIRE), ...(dice.is(0.3) ? { unstable_ties: true } : {}) });
      return;
    case 'by hand': {
      const failed = [...sandbox.truth.webhooks()].filter(({ successful }) => successful === false);
      const ids = failed.filter(() => dice.is(0.3)).map(({ id }) => id as number);
      if (ids.length > 0) await replayByHand(bench, ids);
      return;
    }
    case 'replay': {
      await synced(bench, { only: ['webhooks'] }, log);
      const plan = await bench.client.replay.plan({
        site: SITE,
        selection: { filter: { status: 'failed' } },
      });
      if (plan.count === 0) return;
      const { job } = await bench.client.replay.run({ site: SITE, plan: plan.plan });
      if (dice.is(0.5)) await bench.client.replay.cancel({ site: SITE, job });
      else if ((await bench.waitForJob(job)).state === 'paused')
        await bench.client.replay.cancel({ site: SITE, job });
      return;
    }
  }
}

async function replayByHand({ sandbox }: WriterTestSite, ids: number[]): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${sandbox.apiKey}:x`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ ids });
  await fetch(`${sandbox.url}/webhooks/replay.json`, { method: 'POST', headers, body }).catch(
    () => undefined,
  );
  await sandbox.idle();
}

/** Runs a sync and returns its result. */
async function synced(
  bench: WriterTestSite,
  input: Partial<ContractInputs['sync']['start']>,
  log: string[],
): Promise<string> {
  const job = await bench.sync(input);
  const [run] = listSyncRuns(bench.cache(), 1);
  const became =
    run?.complete === true
      ? 'complete'
      : `${job.state}: ${job.error?.message ?? JSON.stringify(run?.problems)}`;
  log.push(became);
  return became;
}

/** A sync that reports completeness must be complete. */
async function checked(
  bench: WriterTestSite,
  input: Partial<ContractInputs['sync']['start']>,
  log: string[],
): Promise<void> {
  if ((await synced(bench, input, log)) !== 'complete') return;
  const found = findDifferences(bench.cache(), bench.sandbox.truth);
  if (found.length > 0) throw new Error(`called complete, but ${found.join('; ')}`);
}

for (let seed = FROM; seed < FROM + SEEDS; seed++) {
  test(`stored data equals the data of the service, history ${seed}`, async () => {
    expect(await live(seed)).toEqual([]);
  });
}
