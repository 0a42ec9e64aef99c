import { expect, test } from 'vitest';
import { fitGrowth, type SoakSample } from './growth.ts';
import { runSoak } from './run-soak.ts';

const sample = (day: number): SoakSample => ({
  day,
  rss: 1e8 + (day < 4 ? day * 1e7 : 4e7),
  heap: 1e7 + day * 3e6,
  descriptors: 30,
  wal: 0,
  log: day * 100,
  databases: day,
});

test('the growth per day leaves out the warm-up', () => {
  const growth = fitGrowth(Array.from({ length: 12 }, (_, at) => sample(at + 1)));
  expect(growth).toMatchObject({ rss: 0, descriptors: 0, wal: 0 });
  expect(growth?.heap).toBeCloseTo(3e6);
  expect(growth?.log).toBeCloseTo(100);
  expect(fitGrowth([sample(1), sample(2)])).toBeNull();
});

test('after two days of use, all stored results equal the recomputed ones', async () => {
  const { samples, ok, differences } = await runSoak(2);
  expect(samples).toHaveLength(2);
  expect({ ok, differences }).toEqual({ ok: true, differences: [] });
}, 120_000);
