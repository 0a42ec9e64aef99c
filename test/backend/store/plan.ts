import { type ListPlan, mergeScans } from '../../../src/backend/store/lists/keyset-pagination.ts';
import type { ReadableDb, SqlValues } from '../../../src/backend/store/sqlite/connection.ts';

/** What SQLite says it would do for a statement, a line a step. */
export function planOf(db: ReadableDb, sql: string, bound: SqlValues): string[] {
  return db
    .prepare<SqlValues, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...bound)
    .map((step) => step.detail);
}

/** How many of the ids between which a statement reads an index of words are integers: to another it does not go straight. */
export function boundsOf(
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
    // Its arguments lie behind their number: what is looked for, then the bounds.
    for (let at = 0; at < count; at++) if (cast.has(p3 + 3 + at)) integers += 1;
  }
  return { bounds, integers };
}

/** The statements of a list's first page and of one in its middle. */
export function pageStatements({ order, groups, edge }: ListPlan): { sql: string; bound: SqlValues }[] {
  return groups.flatMap(({ lead, branches }) => {
    const inner = { ...order, columns: order.columns.slice(lead.length) };
    const middle = inner.columns.map(({ type }) => (type === 'text' ? 'm' : 1000));
    return [edge, middle].map((start) => {
      const { sql, bound } = mergeScans(inner, branches, start);
      return { sql, bound: [...bound, 100] };
    });
  });
}

/** The plans of a list's first page and of one in its middle, as one list of steps. */
export function pagePlans(db: ReadableDb, reading: ListPlan): string[] {
  return pageStatements(reading).flatMap(({ sql, bound }) => planOf(db, sql, bound));
}
