import { afterEach, describe, expect, it } from 'vitest';
import { plantKinds, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { type CheckBench, openCheckBench, planted, told } from './bench.ts';

/** Statements among which errors are planted: more in a long run. */
const STATEMENTS = Number(process.env['TIEOUT_STATEMENTS'] ?? 420);
/** What a subscription of the sandbox has on average over its six months. */
const EACH = 5.2;

const open: CheckBench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close();
});

async function synced(options: SandboxOptions, format: 'json' | 'xml' = 'json'): Promise<CheckBench> {
  const bench = await openCheckBench(options, format);
  open.push(bench);
  const job = await bench.sync();
  expect(job).toMatchObject({ state: 'done', error: null });
  return bench;
}

describe('clean data, synced', () => {
  for (const format of ['json', 'xml'] as const) {
    it(`gives no exception (${format})`, async () => {
      const bench = await synced({ seed: 21, subscriptions: 24, outage: false }, format);
      expect((await bench.exceptions()).map(({ message }) => message)).toEqual([]);
    });

    it(`gives the undelivered webhooks of its outage and nothing else (${format})`, async () => {
      const bench = await synced({ seed: 22, subscriptions: 24 }, format);
      const rows = await bench.exceptions();
      expect(new Set(rows.map(({ rule }) => rule))).toEqual(new Set(['webhook-not-accepted']));
      expect(rows).toHaveLength(bench.sandbox.truth.counts().failed_webhooks);
    });
  }

  it('stays clean when the log is shorter than the history, and as months pass', async () => {
    const bench = await synced({ seed: 23, subscriptions: 20, webhooks: 150, outage: false });
    expect(await bench.exceptions()).toEqual([]);
    for (let month = 0; month < 2; month++) {
      bench.sandbox.advance({ months: 1 });
      await bench.sandbox.idle();
      expect(await bench.sync()).toMatchObject({ state: 'done' });
      expect((await bench.exceptions()).map(({ message }) => message)).toEqual([]);
    }
  });
});

describe('an error planted alone, synced', () => {
  for (const [place, kind] of plantKinds.entries()) {
    const format = place % 2 === 0 ? 'json' : 'xml';
    it(`${kind} is found by its rule, and nothing else is (${format})`, async () => {
      const options = { seed: place + 1, subscriptions: 24, outage: false, faults: `plant.${kind}=1` };
      const bench = await synced(options, format);
      expect(planted(bench.sandbox)).toHaveLength(1);
      const rows = await bench.exceptions();
      expect(told(rows), rows.map(({ message }) => message).join('\n')).toEqual(planted(bench.sandbox));
    });
  }
});

describe('errors of every kind planted among clean data, synced', () => {
  for (const format of ['json', 'xml'] as const) {
    const limit = { timeout: 120_000 + STATEMENTS * 60 };
    it(
      `each is found by its rule, and nothing else is (${format}, ${STATEMENTS} statements)`,
      limit,
      async () => {
        const subscriptions = Math.ceil(STATEMENTS / EACH);
        const of = Math.max(1, Math.floor(subscriptions / 200));
        const faults = plantKinds.map((kind) => `plant.${kind}=${of}`).join(',');
        const bench = await synced({ seed: 31, subscriptions, outage: false, faults }, format);
        expect(bench.sandbox.truth.counts().statements).toBeGreaterThanOrEqual(STATEMENTS * 0.95);
        expect(planted(bench.sandbox)).toHaveLength(of * plantKinds.length);
        const rows = await bench.exceptions();
        expect(told(rows), rows.map(({ message }) => message).join('\n')).toEqual(planted(bench.sandbox));
      },
    );
  }
});
