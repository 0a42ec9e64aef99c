import { expect, test } from 'vitest';
import { buildSchedules, Sums } from '../../../src/domain/workpaper/index.ts';

function cutOff(dated: number, matched: number) {
  const sums = new Sums();
  sums.add('S1.paid', '', dated);
  sums.add('S1.matched', '', matched);
  const [billing] = buildSchedules(sums, new Map(), true);
  return billing?.lines.find(({ id }) => id === 'S1.cut-off');
}

test('what is to be done about a difference is said where there is one, and nothing where there is none', () => {
  expect(cutOff(1900, 1900)).toMatchObject({
    amount_in_cents: 0,
    note: 'As taken to the matching less as dated: all of it is taken.',
  });
  for (const [dated, matched] of [
    [1900, 0],
    [0, 1900],
  ] as const) {
    expect(cutOff(dated, matched)).toMatchObject({
      amount_in_cents: matched - dated,
      note: 'The matching does not hold the same payments: run it.',
    });
  }
});
