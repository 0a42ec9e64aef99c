import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortInSteps } from '../../../src/domain/work-steps/sort-in-steps.ts';
import { runAllSteps } from '../../../src/domain/work-steps/work-steps.ts';

interface Item {
  readonly size: number;
  readonly at: number;
}
const bySize = (a: Item, b: Item) => a.size - b.size;
const toItems = (sizes: readonly number[]): Item[] => sizes.map((size, at) => ({ size, at }));

it('sorts like the language, also stably', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 60 }), (sizes) => {
      expect(runAllSteps(sortInSteps(toItems(sizes), bySize))).toEqual(toItems(sizes).toSorted(bySize));
    }),
  );
});

it('sorts an array of several steps, comparing only a part of it per step', () => {
  const items = toItems(Array.from({ length: 30_001 }, (_, at) => (at * 7919) % 997));
  let compared = 0;
  let mostCompared = 0;
  const steps = sortInSteps(items, (a, b) => {
    compared++;
    return bySize(a, b);
  });
  for (;;) {
    compared = 0;
    const step = steps.next();
    mostCompared = Math.max(mostCompared, compared);
    if (!step.done) continue;
    expect(step.value).toEqual(items.toSorted(bySize));
    break;
  }
  expect(mostCompared).toBeLessThan(60_000);
});
