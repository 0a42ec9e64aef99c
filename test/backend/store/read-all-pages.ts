import { expect } from 'vitest';
import type { ListTotal, PageMarks } from '../../../src/contract/index.ts';

interface ListPage<Row> {
  rows: Row[];
  next: string | null;
  total: ListTotal | null;
}

/** Reads a list to its end. Asserts that every page but the last is full and that only the first one has a count. */
export function readAllPages<Row>(
  list: (page: { after?: string; limit: number }) => ListPage<Row>,
  limit: number,
): { rows: Row[]; total: ListTotal } {
  const first = list({ limit });
  expect(first.total).not.toBeNull();
  const rows = [...first.rows];
  for (let { next } = first; next !== null; ) {
    const page = list({ after: next, limit });
    expect(page.total).toBeNull();
    expect(page.rows.length).toBe(page.next === null ? Math.min(page.rows.length, limit) : limit);
    expect(page.rows.length).toBeGreaterThan(0);
    rows.push(...page.rows);
    next = page.next;
  }
  return { rows, total: first.total! };
}

/** Asserts that every scrollbar mark leads to the row at its position. */
export function expectCorrectMarks<Row>(
  { every, total, marks }: PageMarks,
  rows: readonly Row[],
  list: (page: { after?: string; limit: number }) => ListPage<Row>,
): void {
  expect(total).toBe(rows.length);
  expect(marks.length).toBe(Math.max(1, Math.ceil(rows.length / every)));
  expect(marks[0]).toBeNull();
  marks.forEach((mark, at) => {
    const page = list(mark === null ? { limit: 2 } : { after: mark, limit: 2 });
    expect(page.rows).toEqual(rows.slice(at * every, at * every + 2));
  });
}
