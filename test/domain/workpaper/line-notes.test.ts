import { expect, test } from 'vitest';
import {
  buildSchedule,
  FigureSums,
  workpaperScheduleDefinitions,
} from '../../../src/domain/workpaper/index.ts';

function findCutOffLine(dated: number, matched: number) {
  const sums = new FigureSums();
  sums.add('S1.paid', '', dated);
  sums.add('S1.matched', '', matched);
  const billing = buildSchedule(workpaperScheduleDefinitions[0]!, sums, new Map());
  return billing.lines.find(({ id }) => id === 'S1.cut-off');
}

test('a workpaper line shows an instruction only if there is a difference', () => {
  expect(findCutOffLine(1900, 1900)).toMatchObject({
    amount_in_cents: 0,
    note: 'Per matching less dated in the period: all payments are included.',
  });
  for (const [dated, matched] of [
    [1900, 0],
    [0, 1900],
  ] as const) {
    expect(findCutOffLine(dated, matched)).toMatchObject({
      amount_in_cents: matched - dated,
      note: 'The latest matching run used different payments. Run matching again.',
    });
  }
});
