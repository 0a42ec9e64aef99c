import { expect, test } from 'vitest';
import { prepareSql } from '../../src/backend/store/sqlite/connection.ts';
import { readSyncPartState } from '../../src/backend/store/sync/sync-unit.ts';
import type { WebhookLogState } from '../../src/backend/sync/webhooks/webhook-log.ts';
import type { FaultSpec } from '../../src/sandbox/index.ts';
import {
  findAllocationDifferences,
  findStatementDifferences,
  findWebhookDifferences,
} from '../backend/find-differences.ts';
import { type Chance, chance } from './chance.ts';
import { type LeanSync, openLeanSync } from './lean-sync.ts';
import { DAY, TROUBLES } from './troubles.ts';

/**
 * Compares the cache with the service's records after random histories. Webhooks arrive between syncs and pages, are
 * retried and replayed, and share their timestamps. The endpoint goes down, clocks change, and the service fails, changes
 * its page size and deletes its oldest rows. Syncs are stopped and killed, in JSON and in XML. Whenever a sync reports
 * completeness, both sides must be equal, and once the service works again, a sync must report it. Some histories last
 * months, with changes that no list shows. These are searched for once a day only, so a day passes before a sync whose
 * report is checked.
 *
 * `MODEL_SEEDS=2000 npm run test:unit -- test/faults/sync-model` runs more histories, and `MODEL_FROM` sets the first
 * seed.
 */
const SEEDS = Number(process.env['MODEL_SEEDS'] ?? 200);
const FROM = Number(process.env['MODEL_FROM'] ?? 1);
/** Number of concurrent histories. Each waits for its service now and then. */
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

/** A running history. */
interface Life {
  bench: LeanSync;
  dice: Chance;
  /** Offset of our clock from the computer's, in ms. */
  ahead: number;
  /** Total time by which the clock was set back since a day last passed. */
  back: number;
  /** The service has deleted webhooks from before this time (UTC ms). */
  begins: number;
  /** Events that were triggered during the last sync. */
  meanwhile: Promise<void>;
  log: string[];
}

async function live(seed: number): Promise<string[]> {
  const dice = chance(seed);
  const life = { dice, ...{ ahead: 0, back: 0, begins: 0 }, log: [] as string[] } as unknown as Life;
  const ties: FaultSpec = dice.is(0.3) ? { tie_seconds: dice.one([60, 3600, 86_400]) } : {};
  const maxPerPage = dice.one([20, 20, 25, 40]);
  life.bench = await openLeanSync(
    {
      seed,
      subscriptions: 2 + dice.below(3),
      months: 1 + dice.below(2),
      // With fewer events than components, the site has allocations that no webhook mentions.
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
    const found = differences(life);
    const problems = prepareSql<string>(bench.cache(), 'SELECT location FROM problem').pluck().all();
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
 * A webhook that somebody else replays and that is accepted again appears in no list. It is still found after every
 * closed day was read again: the first round learns the pages, and the second compares them.
 */
async function liveOn(life: Life): Promise<string[]> {
  const { bench, dice, log } = life;
  await rounds(life, dice.one([1, 2]));
  const all = there(life);
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
  return differences(life);
}

/** Lets days pass with one sync each, until all closed days were read again the given number of times. */
async function rounds(life: Life, times: number): Promise<void> {
  for (let days = 0, ended = 0; ended < times; days++) {
    if (days > 31 * times) throw new Error('not all of the log was read again within a month');
    aDayPasses(life);
    const became = await synced(life, true);
    if (became !== 'complete') throw new Error(`with nothing wrong a sync was ${became}`);
    if (readSyncPartState<WebhookLogState>(life.bench.cache(), 'webhooks')?.checkpoint.audit_from === null)
      ended++;
  }
}

const DOINGS = [
  ...(['sync', 'check', 'stop', 'kill', 'kill'] as const),
  ...(['arrive', 'arrive', 'endpoint', 'replay', 'wire', 'poison', 'purge'] as const),
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
      // Webhooks that were accepted meanwhile leave the list of failed webhooks, so the next sync notices them.
      if (log.at(-2) === ACCEPTED) {
        sandbox.setFaults({});
        if ((await synced(life, true)) !== 'complete') return;
      }
      const found = differences(life);
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
      // Sets the clock right or wrong now and then.
      if (dice.is(0.7)) life.ahead += days * DAY;
      else if (dice.is(0.2)) {
        life.ahead -= 2 * DAY;
        life.back += 2 * DAY;
      }
      return;
    }
    case 'purge':
      purge(life);
      return;
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

/** A clock that was set back shows no new day until it reaches its previous time. */
function aDayPasses(life: Life): void {
  life.ahead += DAY + life.back;
  life.back = 0;
}

/** A replay by somebody else. Tieout does not know about it. */
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

const ACCEPTED = 'some accepted meanwhile';

/** Runs a sync and returns its result. Sometimes an event happens at the service after a number of requests. */
async function synced(life: Life, steady = false): Promise<string> {
  const { bench, dice, log } = life;
  let left = !steady && dice.is(0.45) ? 1 + dice.below(16) : 0;
  const happens = dice.one([shorten, shorten, purge, accept]);
  life.meanwhile = Promise.resolve();
  const { complete, error } = await bench.sync({
    end() {
      if (--left === 0) happens(life);
      return null;
    },
  });
  await life.meanwhile;
  const problems = prepareSql<string>(bench.cache(), "SELECT location || ': ' || reason FROM problem")
    .pluck()
    .all();
  const became = complete ? 'complete' : `not complete: ${String(error ?? problems.join('; '))}`;
  log.push(became);
  return became;
}

/** Changes the page size of the service. */
function shorten({ bench, dice }: Life): void {
  bench.sandbox.setFaults({ set: { maxPerPage: dice.one([20, 25, 40, 50]) } });
}

/** Deletes the service's oldest webhooks. */
function purge(life: Life): void {
  const { bench, dice } = life;
  const kept = there(life);
  const oldest = kept[dice.below(Math.ceil(kept.length / 2))]?.['created_at'];
  if (oldest === undefined) return;
  life.begins = Date.parse(String(oldest));
  bench.sandbox.setFaults({ set: { logBegins: life.begins / 1000 } });
}

/** Somebody else replays failed webhooks, and they are accepted. */
function accept(life: Life): void {
  const { bench, dice } = life;
  const failed = there(life).filter(({ successful }) => successful === false);
  bench.sandbox.setEndpoint({});
  life.log.push(ACCEPTED);
  life.meanwhile = replay(
    life,
    failed.filter(() => dice.is(0.3)).map(({ id }) => id as number),
  ).then(() => bench.sandbox.idle());
}

/** Returns the webhooks that the service has. */
function there({ bench, begins }: Life) {
  return [...bench.sandbox.truth.webhooks()].filter(
    ({ created_at }) => Date.parse(String(created_at)) >= begins,
  );
}

/** Returns the webhooks whose stored row differs from the service's. Webhooks deleted at the service may stay stored. */
function differences(life: Life): string[] {
  const { bench } = life;
  const { truth } = bench.sandbox;
  const deleted = new Set(
    [...truth.webhooks()]
      .slice(0, -there(life).length || undefined)
      .map(({ id }) => `webhook ${id} is not there`),
  );
  const webhooks = findWebhookDifferences(bench.cache(), { webhooks: () => there(life).values() });
  return [
    ...webhooks.filter((line) => !deleted.has(line)),
    ...findStatementDifferences(bench.cache(), truth),
    ...findAllocationDifferences(bench.cache(), truth),
  ].slice(0, 20);
}

test(
  `stored data equals the data of the service after ${SEEDS} histories`,
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
