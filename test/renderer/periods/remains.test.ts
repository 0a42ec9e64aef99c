import { expect, it } from 'vitest';
import type { PeriodProgress } from '../../../src/contract/index.ts';
import { remainsText } from '../../../src/renderer/periods/remains.ts';

const progress = (exceptions: number, proposals: number, unexplained: number): PeriodProgress => ({
  exceptions: { open: exceptions, accepted: 3 },
  proposals,
  outstanding: unexplained + 2,
  brought_forward: 1,
  unexplained,
  explained: unexplained === 0,
});

it.each([
  [progress(0, 0, 0), 'nothing remains'],
  [progress(1, 0, 0), '1 exception'],
  [progress(0, 1, 4), '1 match to decide, 4 items unexplained'],
  [progress(36, 2, 1), '36 exceptions, 2 matches to decide, 1 item unexplained'],
])('what remains is told with what it is, and nothing else', (of, said) => {
  expect(remainsText(of)).toBe(said);
});
