import { expect } from 'vitest';
import { UnreadableResponseError } from '../../src/billing/formats/unreadable-response.ts';
import type { DecodedBody } from '../../src/billing/http/response-decoding.ts';
import type { ResponseReadProblem } from '../../src/billing/index.ts';
import { expectWithinOneSecond } from './mutate-bytes.ts';

/** Returns the result of a reader, or null if the reader rejects the response. Rethrows any other error. */
export function readOrNull<T>(run: () => DecodedBody<T>): DecodedBody<T> | null {
  return expectWithinOneSecond(() => {
    try {
      return run();
    } catch (error) {
      if (error instanceof UnreadableResponseError) return null;
      throw error;
    }
  });
}

const escapeText = (text: string) => text.replace(/[[\].]/g, '\\$&');

/** Expects that each row of a list is either an item or a problem with the position of the row. */
export function expectAllRowsAccounted(
  list: string,
  rows: number,
  items: readonly unknown[],
  problems: readonly ResponseReadProblem[],
): void {
  const rowPath = new RegExp(`^${escapeText(list)}\\[(\\d+)\\](\\.[^.[]*)?$`);
  const refused = problems.filter((problem) => problem.outcome === 'rejected' && rowPath.test(problem.path));
  const indexes = new Set(refused.map((problem) => Number(rowPath.exec(problem.path)?.[1])));
  expect(indexes.size).toBe(refused.length);
  for (const index of indexes) expect(index).toBeLessThan(rows);
  expect(items.length + refused.length).toBe(rows);
  for (const problem of problems) expect(problem.reason).toBeTruthy();
}
