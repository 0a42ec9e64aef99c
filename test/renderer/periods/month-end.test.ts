import { expect, test } from 'vitest';
import { monthEndSteps } from '../../../src/renderer/periods/month-end.ts';

test.each([
  [
    'first a bank file, and the month opened',
    { lines: 0, stale: false, worked: false, due: true },
    ['import', 'open'],
  ],
  [
    'lines are matched once they are here',
    { lines: 34, stale: true, worked: false, due: true },
    ['match', 'open'],
  ],
  [
    'an opened month asks for its bank file still',
    { lines: 0, stale: true, worked: true, due: true },
    ['import'],
  ],
  [
    'matched and opened: the workpaper says the rest',
    { lines: 34, stale: false, worked: true, due: true },
    [],
  ],
  ['not known yet is no lack', { lines: undefined, stale: false, worked: false, due: true }, ['open']],
  ['no month to close: nothing', { lines: 0, stale: false, worked: false, due: false }, []],
] as const)('%s', (_what, state, steps) => {
  expect(monthEndSteps(state)).toEqual(steps);
});
