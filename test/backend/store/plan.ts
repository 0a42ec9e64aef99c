import type { ReadableDb, Values } from '../../../src/backend/store/database.ts';
import { merged, type Reading } from '../../../src/backend/store/keyset.ts';

/** What SQLite says it would do for a statement, a line a step. */
export function planOf(db: ReadableDb, sql: string, bound: Values): string[] {
  return db
    .prepare<Values, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...bound)
    .map((step) => step.detail);
}

/** The plans of a list's first page and of one in its middle, as one list of steps. */
export function pagePlans(db: ReadableDb, { order, groups, edge }: Reading): string[] {
  return groups.flatMap(({ lead, branches }) => {
    const inner = { ...order, columns: order.columns.slice(lead.length) };
    const middle = inner.columns.map(({ type }) => (type === 'text' ? 'm' : 1000));
    return [edge, middle].flatMap((start) => {
      const { sql, bound } = merged(inner, branches, start);
      return planOf(db, sql, [...bound, 100]);
    });
  });
}
