import { type ListQueryPlan, mergeIndexScans } from '../../../src/backend/store/lists/keyset-pagination.ts';
import type { ReadableDb, SqlValues } from '../../../src/backend/store/sqlite/connection.ts';

/** Returns SQLite's query plan of a statement, one step per entry. */
export function getQueryPlan(db: ReadableDb, sql: string, bound: SqlValues): string[] {
  return db
    .prepare<SqlValues, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...bound)
    .map((step) => step.detail);
}

/**
 * Counts the id bounds of full-text queries and how many of them are integers. SQLite seeks directly only to integer
 * bounds.
 */
export function countIdBounds(
  db: ReadableDb,
  sql: string,
  bound: SqlValues,
): { bounds: number; integers: number } {
  interface Step {
    opcode: string;
    p1: number;
    p3: number;
    p4: string | null;
  }
  const steps = db.prepare<SqlValues, Step>(`EXPLAIN ${sql}`).all(...bound);
  const cast = new Set(steps.filter(({ opcode }) => opcode === 'Cast').map(({ p1 }) => p1));
  let [bounds, integers] = [0, 0];
  for (const { opcode, p3, p4 } of steps) {
    if (opcode !== 'VFilter' || !p4?.startsWith('M')) continue;
    const count = p4.match(/[<>=]/g)?.length ?? 0;
    bounds += count;
    // The registers contain the number of arguments, then the search text, then the bounds.
    for (let at = 0; at < count; at++) if (cast.has(p3 + 3 + at)) integers += 1;
  }
  return { bounds, integers };
}

/** Returns the statements of a list's first page and of a page in its middle. */
export function getPageStatements({
  order,
  sections,
  startKey,
}: ListQueryPlan): { sql: string; bound: SqlValues }[] {
  return sections.flatMap(({ leadingValues, scans }) => {
    const inner = { ...order, columns: order.columns.slice(leadingValues.length) };
    const middle = inner.columns.map(({ type }) => (type === 'text' ? 'm' : 1000));
    return [startKey, middle].map((start) => {
      const { sql, bound } = mergeIndexScans(inner, scans, start);
      return { sql, bound: [...bound, 100] };
    });
  });
}

/** Returns the query plan steps of a list's first page and of a page in its middle. */
export function getPagePlans(db: ReadableDb, reading: ListQueryPlan): string[] {
  return getPageStatements(reading).flatMap(({ sql, bound }) => getQueryPlan(db, sql, bound));
}
