import { expect } from 'vitest';
import type { Decoded } from '../../src/billing/answers.ts';
import type { Problem } from '../../src/billing/index.ts';
import { Unreadable } from '../../src/billing/unreadable.ts';
import { within1s } from './mutations.ts';

/** Runs a reading; an answer refused as a whole is null, anything else thrown is a crash. */
export function readOrRefused<T>(run: () => Decoded<T>): Decoded<T> | null {
  return within1s(() => {
    try {
      return run();
    } catch (error) {
      if (error instanceof Unreadable) return null;
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
  problems: readonly Problem[],
): void {
  const place = new RegExp(`^${escaped(list)}\\[(\\d+)\\](\\.[^.[]*)?$`);
  const refused = problems.filter((problem) => problem.row === 'refused' && place.test(problem.place));
  const indexes = new Set(refused.map((problem) => Number(place.exec(problem.place)?.[1])));
  expect(indexes.size).toBe(refused.length);
  for (const index of indexes) expect(index).toBeLessThan(rows);
  expect(items.length + refused.length).toBe(rows);
  for (const problem of problems) expect(problem.reason).toBeTruthy();
}
