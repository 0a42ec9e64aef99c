import { expect } from 'vitest';
import { UnreadableResponse } from '../../src/billing/formats/unreadable-response.ts';
import type { DecodedBody } from '../../src/billing/http/response-decoding.ts';
import type { ReadProblem } from '../../src/billing/index.ts';
import { within1s } from './mutations.ts';

/** Runs a reading; an answer refused as a whole is null, anything else thrown is a crash. */
export function readOrRefused<T>(run: () => DecodedBody<T>): DecodedBody<T> | null {
  return within1s(() => {
    try {
      return run();
    } catch (error) {
      if (error instanceof UnreadableResponse) return null;
      throw error;
    }
  });
}

const escaped = (text: string) => text.replace(/[[\].]/g, '\\$&');

/** Every row of a list is an item or a refused problem at its own place; none is both, none is neither. */
export function accountsFor(
  list: string,
  rows: number,
  items: readonly unknown[],
  problems: readonly ReadProblem[],
): void {
  const place = new RegExp(`^${escaped(list)}\\[(\\d+)\\](\\.[^.[]*)?$`);
  const refused = problems.filter((problem) => problem.outcome === 'rejected' && place.test(problem.path));
  const indexes = new Set(refused.map((problem) => Number(place.exec(problem.path)?.[1])));
  expect(indexes.size).toBe(refused.length);
  for (const index of indexes) expect(index).toBeLessThan(rows);
  expect(items.length + refused.length).toBe(rows);
  for (const problem of problems) expect(problem.reason).toBeTruthy();
}
