import { afterEach, describe, expect, it } from 'vitest';
import { plantedErrorKinds, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { type CheckBench, listFoundErrors, listPlantedErrors, openCheckBench } from './check-bench.ts';

/** Number of statements among which errors are planted. Higher in a long run. */
const STATEMENTS = Number(process.env['TIEOUT_STATEMENTS'] ?? 420);
/** Average number of statements per subscription of the sandbox in six months. */
const STATEMENTS_PER_SUBSCRIPTION = 5.2;

const openBenches: CheckBench[] = [];
afterEach(async () => {
  for (const bench of openBenches.splice(0)) await bench.close();
});

async function openSyncedBench(
  options: SandboxOptions,
  format: 'json' | 'xml' = 'json',
): Promise<CheckBench> {
  const bench = await openCheckBench(options, format);
  openBenches.push(bench);
  const job = await bench.sync();
  expect(job).toMatchObject({ state: 'done', error: null });
  return bench;
}

describe('clean data after a sync', () => {
  for (const format of ['json', 'xml'] as const) {
    it(`causes no exception (${format})`, async () => {
      const bench = await openSyncedBench({ seed: 21, subscriptions: 24, outage: false }, format);
      expect((await bench.exceptions()).map(({ message }) => message)).toEqual([]);
    });

    it(`causes only exceptions for undelivered webhooks of the outage (${format})`, async () => {
      const bench = await openSyncedBench({ seed: 22, subscriptions: 24 }, format);
      const rows = await bench.exceptions();
      expect(new Set(rows.map(({ rule }) => rule))).toEqual(new Set(['webhook-not-accepted']));
      expect(rows).toHaveLength(bench.sandbox.truth.counts().failed_webhooks);
    });
  }

  it('causes no exception if the log is shorter than the history, and in later months', async () => {
    const bench = await openSyncedBench({ seed: 23, subscriptions: 20, webhooks: 150, outage: false });
    expect(await bench.exceptions()).toEqual([]);
    for (let month = 0; month < 2; month++) {
      bench.sandbox.advance({ months: 1 });
      await bench.sandbox.idle();
      expect(await bench.sync()).toMatchObject({ state: 'done' });
      expect((await bench.exceptions()).map(({ message }) => message)).toEqual([]);
    }
  });
});

describe('single planted error after a sync', () => {
  for (const [place, kind] of plantedErrorKinds.entries()) {
    const format = place % 2 === 0 ? 'json' : 'xml';
    it(`${kind} is found by its rule only (${format})`, async () => {
      const options = { seed: place + 1, subscriptions: 24, outage: false, faults: `plant.${kind}=1` };
      const bench = await openSyncedBench(options, format);
      expect(listPlantedErrors(bench.sandbox)).toHaveLength(1);
      const rows = await bench.exceptions();
      expect(listFoundErrors(rows), rows.map(({ message }) => message).join('\n')).toEqual(
        listPlantedErrors(bench.sandbox),
      );
    });
  }
});

describe('planted errors of every kind after a sync', () => {
  for (const format of ['json', 'xml'] as const) {
    const limit = { timeout: 120_000 + STATEMENTS * 60 };
    it(
      `are each found by their rule, without other exceptions (${format}, ${STATEMENTS} statements)`,
      limit,
      async () => {
        const subscriptions = Math.ceil(STATEMENTS / STATEMENTS_PER_SUBSCRIPTION);
        const of = Math.max(1, Math.floor(subscriptions / 200));
        const faults = plantedErrorKinds.map((kind) => `plant.${kind}=${of}`).join(',');
        const bench = await openSyncedBench({ seed: 31, subscriptions, outage: false, faults }, format);
        expect(bench.sandbox.truth.counts().statements).toBeGreaterThanOrEqual(STATEMENTS * 0.95);
        expect(listPlantedErrors(bench.sandbox)).toHaveLength(of * plantedErrorKinds.length);
        const rows = await bench.exceptions();
        expect(listFoundErrors(rows), rows.map(({ message }) => message).join('\n')).toEqual(
          listPlantedErrors(bench.sandbox),
        );
      },
    );
  }
});
