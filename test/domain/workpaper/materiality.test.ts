import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  findLowestThresholds,
  findMaterialityThreshold,
  findThresholdsError,
  testMateriality,
  type WorkpaperScheduleLine,
} from '../../../src/domain/workpaper/index.ts';

const thresholds = [
  { schedule: 'S2', currency: 'USD', amount_in_cents: 2500 },
  { schedule: 'S3', currency: 'USD', amount_in_cents: 900 },
  { schedule: 'S3', currency: 'JPY', amount_in_cents: 70_000 },
  { schedule: 'S3-4', currency: 'USD', amount_in_cents: 50 },
];

it('finds the threshold of a schedule, or of S3 for the schedule of an account', () => {
  expect(findMaterialityThreshold(thresholds, 'S2', 'USD')).toBe(2500);
  expect(findMaterialityThreshold(thresholds, 'S2', 'JPY')).toBeNull();
  expect(findMaterialityThreshold(thresholds, 'S3-2', 'JPY')).toBe(70_000);
  expect(findMaterialityThreshold(thresholds, 'S3-4', 'USD')).toBe(50);
  expect(findMaterialityThreshold(thresholds, 'S1', 'USD')).toBeNull();
  expect([...findLowestThresholds(thresholds)]).toEqual([
    ['USD', 50],
    ['JPY', 70_000],
  ]);
  expect(findThresholdsError(thresholds)).toBeNull();
  expect(findThresholdsError([...thresholds, thresholds[1]!])).toContain('S3 in USD');
});

const line = fc.record({
  role: fc.constantFrom('source' as const, 'difference' as const),
  amount_in_cents: fc.integer({ min: -400, max: 400 }),
  unexplained: fc.option(
    fc.record({ count: fc.nat({ max: 3 }), amount_in_cents: fc.integer({ min: -400, max: 400 }) }),
  ),
});

it('passes open amounts up to the threshold without hiding one, and nothing above it', () => {
  const amounts = fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 5 }),
      amounts,
      fc.nat({ max: 1500 }),
      (parts, items, threshold) => {
        const lines = parts.map(
          (part, at) => ({ ...part, id: `S2.x${at}`, ticks: ['R', 'E'] }) as unknown as WorkpaperScheduleLine,
        );
        const isDifferent = ({ role, amount_in_cents: cents }: WorkpaperScheduleLine) =>
          role === 'difference' && cents !== 0;
        const difference_in_cents = lines
          .filter(isDifferent)
          .reduce((all, { amount_in_cents }) => all + Math.abs(amount_in_cents), 0);
        const absolute_in_cents = items.reduce((all, cents) => all + Math.abs(cents), 0);
        const figures = new Set(items.map((_, at) => `S2.x${at}`));
        const tested = testMateriality({ lines, difference_in_cents }, threshold, {
          count: items.length,
          absolute_in_cents,
          figures,
        });
        const isOpen = difference_in_cents > 0 || items.length > 0;
        const passed = isOpen && difference_in_cents + absolute_in_cents <= threshold;
        expect(tested.materiality).toEqual({
          threshold_in_cents: threshold,
          tested_in_cents: difference_in_cents + absolute_in_cents,
          tested_count: items.length,
          passed,
        });
        for (const [at, marked] of tested.lines.entries()) {
          const before = lines[at]!;
          const isMarked =
            passed && (isDifferent(before) || (before.unexplained?.count ?? 0) > 0 || at < items.length);
          expect(marked).toEqual({ ...before, ticks: isMarked ? ['R', 'imm'] : ['R', 'E'] });
        }
      },
    ),
  );
});

it('tests nothing without a threshold', () => {
  const schedule = { lines: [], difference_in_cents: 1 };
  const { materiality } = testMateriality(schedule, null, {
    ...{ count: 0, absolute_in_cents: 0 },
    figures: new Set(),
  });
  expect(materiality).toBeNull();
});
