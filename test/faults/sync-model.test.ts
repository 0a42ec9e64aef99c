import { expect, test } from 'vitest';
import { prepared } from '../../src/backend/store/database.ts';
import { partState } from '../../src/backend/store/sync/syncUnit.ts';
import type { LogState } from '../../src/backend/sync/webhookLog.ts';
import type { FaultSpec } from '../../src/sandbox/index.ts';
import { differences } from '../backend/truth.ts';
import { type Chance, chance } from './chance.ts';
import { type LeanSync, openLeanSync } from './leanSync.ts';
import { DAY, TROUBLES } from './troubles.ts';

/**
 * The cache against the service's own truth, after random histories: webhooks arrive between syncs and between pages, are
 * retried and replayed, share their seconds, the endpoint goes down, clocks move, the service misbehaves and fails on
 * single rows and changes the size of its pages, syncs are stopped and killed midway, in JSON and in XML. Whenever a sync says that it is complete, both are
 * equal; and once the service behaves, one says so. Some histories go on for months, with changes that no list tells of. What no webhook tells of is looked for once a day only: a day passes
 * before a sync that is held to its word.
 *
 * `MODEL_SEEDS=2000 npm run test:unit -- test/faults/sync-model` lives through more of them, `MODEL_FROM` begins with
 * another.
 */
const SEEDS = Number(process.env['MODEL_SEEDS'] ?? 200);
const FROM = Number(process.env['MODEL_FROM'] ?? 1);
/** Histories at once: each waits for its service now and then. */
const AT_ONCE = 6;

const WIRE: readonly FaultSpec[] = [
  ...TROUBLES,
  { error_rate: 1, after: 6, times: 12 },
  { error_rate: 1, only: ['allocations'] },
  { expire_key_after: 9 },
  { concurrency: 2 },
  { skew: 7200 },
  { skew: -90_000 },
  { drift: 1 },
  { drift: 3 },
];

/** A history as it is lived. */
interface Life {
  bench: LeanSync;
  dice: Chance;
  /** How far our clock is ahead of the computer's, ms. */
  ahead: number;
  /** By how much it was set back since a day last passed. */
  back: number;
  log: string[];
}

async function live(seed: number): Promise<string[]> {
  const dice = chance(seed);
  const life = { dice, ahead: 0, back: 0, log: [] as string[] } as unknown as Life;
  const ties: FaultSpec = dice.is(0.3) ? { tie_seconds: dice.one([60, 3600, 86_400]) } : {};
  const maxPerPage = dice.one([20, 20, 25, 40]);
  life.bench = await openLeanSync(
    {
      seed,
      subscriptions: 2 + dice.below(3),
      months: 1 + dice.below(2),
      // With fewer than its own, a site has allocations that no webhook tells of.
      webhooks: 45 + dice.below(2 * maxPerPage),
      faults: ties,
      settings: {
        maxPerPage,
        timeZone: dice.one(['America/New_York', 'Pacific/Kiritimati', 'Etc/GMT+12', 'UTC']),
        statementsPerPage: dice.one([1, 3, 20]),
        statementsDirection: dice.one(['asc', 'desc']),
        retryAfter: [0.02, 0.02],
        timeScale: 1,
        queueDelay: 1,
      },
    },
    { format: dice.is(0.25) ? 'xml' : 'json', now: () => Date.now() + life.ahead },
  );
  const { bench, log } = life;
  try {
    for (let step = 3 + dice.below(5); step > 0; step--) await act(life);
    bench.sandbox.setFaults({});
    bench.sandbox.setEndpoint({});
    await bench.sandbox.idle();
    aDayPasses(life);
    const became = await synced(life, true);
    if (became !== 'complete') return [`the last sync was ${became}`, ...log];
    const found = differences(bench.cache(), bench.sandbox.truth);
    const problems = prepared<string>(bench.cache(), 'SELECT place FROM problem').pluck().all();
    if (problems.length > 0) found.push(`complete, with problems: ${problems.join(', ')}`);
    if (found.length === 0 && dice.is(0.15)) found.push(...(await liveOn(life)));
    return found.length === 0 ? [] : [...found, ...log];
  } catch (error) {
    return [String(error), ...log];
  } finally {
    await bench.close();
  }
}

/**
 * What somebody else sends again and is accepted again shows in no list. Once every closed day was read again, a part each
 * day, it is found all the same: the first round learns what the pages are like, the second one knows them by that.
 */
async function liveOn(life: Life): Promise<string[]> {
  const { bench, dice, log } = life;
  await rounds(life, dice.one([1, 2]));
  const all = [...bench.sandbox.truth.webhooks()];
  const newest = Math.max(...all.map(({ created_at }) => Date.parse(String(created_at))));
  const closed = all.filter(({ created_at }) => Date.parse(String(created_at)) < newest - 5 * DAY);
  const unseen = closed.filter(({ successful }) => successful === true && dice.is(0.2));
  log.push(`${unseen.length} sent again unseen`);
  await replay(
    life,
    unseen.map(({ id }) => id as number),
  );
  await bench.sandbox.idle();
  await rounds(life, 2);
  return differences(bench.cache(), bench.sandbox.truth);
}

/** Days pass, each with a sync, until all closed days were read again so many times. */
async function rounds(life: Life, times: number): Promise<void> {
  for (let days = 0, ended = 0; ended < times; days++) {
    if (days > 31 * times) throw new Error('not all of the log was read again within a month');
    aDayPasses(life);
    const became = await synced(life, true);
    if (became !== 'complete') throw new Error(`with nothing wrong a sync was ${became}`);
    if (partState<LogState>(life.bench.cache(), 'webhooks')?.checkpoint.audit_from === null) ended++;
  }
}

const DOINGS = [
  ...(['sync', 'check', 'stop', 'kill', 'kill'] as const),
  ...(['arrive', 'arrive', 'endpoint', 'replay', 'wire', 'poison'] as const),
];

async function act(life: Life): Promise<void> {
  const { bench, dice, log } = life;
  const { sandbox } = bench;
  const doing = dice.one(DOINGS);
  log.push(doing);
  switch (doing) {
    case 'sync':
      await synced(life);
      return;
    case 'check': {
      sandbox.setFaults({ ...dice.one(WIRE), drift: 0 });
      await sandbox.idle();
      aDayPasses(life);
      if ((await synced(life)) !== 'complete') return;
      await sandbox.idle();
      const found = differences(bench.cache(), sandbox.truth);
      if (found.length > 0) throw new Error(`called complete, but ${found.join('; ')}`);
      return;
    }
    case 'stop':
    case 'kill': {
      let left = 1 + dice.below(60);
      const { error } = await bench.sync({
        full: dice.is(0.2),
        end: () => (--left < 0 ? doing : null),
      });
      log.push(error === null ? 'in time' : String(error));
      return;
    }
    case 'arrive': {
      const days = dice.one([0.02, 0.3, 1, 7, 33]);
      sandbox.advance({ days });
      // Clocks are set right, or wrong, now and then.
      if (dice.is(0.7)) life.ahead += days * DAY;
      else if (dice.is(0.2)) {
        life.ahead -= 2 * DAY;
        life.back += 2 * DAY;
      }
      return;
    }
    case 'endpoint':
      sandbox.setEndpoint(dice.one([{}, { down: true }, { failRate: 0.3, status: 500 }]));
      return;
    case 'wire':
      sandbox.setFaults({ ...dice.one(WIRE), ...(dice.is(0.3) ? { unstable_ties: true } : {}) });
      return;
    case 'poison': {
      const some = [...sandbox.truth.webhooks(), ...sandbox.truth.statements()].filter(() => dice.is(0.03));
      sandbox.setFaults({ poison: some.map(({ id }) => id as number) });
      return;
    }
    case 'replay': {
      const failed = [...sandbox.truth.webhooks()].filter(({ successful }) => successful === false);
      await replay(
        life,
        failed.filter(() => dice.is(0.3)).map(({ id }) => id as number),
      );
      return;
    }
  }
}

/** A clock that was set back shows no day until it is where it was. */
function aDayPasses(life: Life): void {
  life.ahead += DAY + life.back;
  life.back = 0;
}

/** Somebody else's: nothing here knows of it. */
async function replay({ bench: { sandbox }, dice }: Life, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const authorization = `Basic ${Buffer.from(`${sandbox.apiKey}:x`).toString('base64')}`;
  await fetch(`${sandbox.url}/webhooks/replay.json`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ ids }),
  }).catch(() => undefined);
  if (dice.is(0.7)) await sandbox.idle();
}

/** Runs a sync; gives what became of it. Now and then the service gives smaller or larger pages from some request on. */
async function synced({ bench, dice, log }: Life, steady = false): Promise<string> {
  let left = !steady && dice.is(0.3) ? 1 + dice.below(16) : 0;
  const maxPerPage = dice.one([20, 25, 40, 50]);
  const { complete, error } = await bench.sync({
    end() {
      if (--left === 0) bench.sandbox.setFaults({ set: { maxPerPage } });
      return null;
    },
  });
  const problems = prepared<string>(bench.cache(), "SELECT place || ': ' || reason FROM problem")
    .pluck()
    .all();
  const became = complete ? 'complete' : `not complete: ${String(error ?? problems.join('; '))}`;
  log.push(became);
  return became;
}

test(
  `what is held equals what the service has, after ${SEEDS} histories`,
  async () => {
    let next = FROM;
    const wrong: string[] = [];
    const work = async () => {
      for (let seed = next++; seed < FROM + SEEDS; seed = next++) {
        const found = await live(seed);
        if (found.length > 0) wrong.push([`history ${seed}`, ...found].join('\n  '));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(wrong).toEqual([]);
  },
  60_000 + SEEDS * 2000,
);
