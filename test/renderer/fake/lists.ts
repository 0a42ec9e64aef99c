import type { ListTotal, PageMarks } from '../../../src/contract/index.ts';

interface PageInput {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Returns a page of an array, with the index of the next row as the cursor. */
export function getArrayPage<Row>(
  rows: readonly Row[],
  { after, limit }: PageInput,
): { rows: Row[]; next: string | null; total: ListTotal | null } {
  const from = after === undefined ? 0 : Number(after);
  const to = from + limit;
  return {
    rows: rows.slice(from, to),
    next: to < rows.length ? String(to) : null,
    total: after === undefined ? { count: rows.length, exact: true } : null,
  };
}

export function getArrayMarks(rows: readonly unknown[], every: number): PageMarks {
  const marks = Array.from({ length: Math.max(1, Math.ceil(rows.length / every)) }, (_, page) =>
    page === 0 ? null : String(page * every),
  );
  return { every, total: rows.length, marks };
}

/** Sorts rows by one field, missing values last. */
export function sortRows<Row>(rows: readonly Row[], by: keyof Row, direction: 'asc' | 'desc'): Row[] {
  const factor = direction === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [x, y] = [a[by], b[by]];
    if (x === y) return 0;
    if (x === null || x === undefined) return 1;
    if (y === null || y === undefined) return -1;
    return x < y ? -factor : factor;
  });
}
