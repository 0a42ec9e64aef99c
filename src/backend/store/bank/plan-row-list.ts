import type { RowVerdict } from '../../../contract/index.ts';
import { type Branch, type Order, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import type { Fate, PlannedLine, UnreadRow } from './plan-store.ts';

/** A line with what happens to it and the remarks about it. */
export type JudgedLine = PlannedLine & Omit<Fate, 'isBack'> & { is_back: 0 | 1; remarks: string | null };

const judged = `SELECT line.*, coalesce(verdict, 'new') AS verdict, stored, coalesce(occurrence, 1) AS occurrence,
    coalesce(is_back, 0) AS is_back, (SELECT group_concat(reason, ' ') FROM remark WHERE remark.row = line.row) AS remarks
  FROM line LEFT JOIN fate ON fate.row = line.row`;
const isNew = "NOT EXISTS (SELECT 1 FROM fate WHERE fate.row = line.row AND verdict <> 'new')";

export interface PlanRowQuery {
  verdict?: readonly RowVerdict[] | undefined;
  /** True for only the rows with remarks. */
  remarked?: true | undefined;
  after?: string | undefined;
  limit: number;
}

const byRow: Order = { name: 'plan rows', columns: [{ name: 'row', type: 'number' }], direction: 'asc' };

/** Lists the rows of a plan in the order of the file. */
export function listPlanRows(
  db: ReadableDb,
  query: PlanRowQuery,
): { rows: (JudgedLine | UnreadRow)[]; next: string | null } {
  const { verdict = ['new', 'duplicate', 'failed', 'skipped'], remarked = false } = query;
  const branches = [...new Set(verdict)].flatMap((each) => branchesOf(each, remarked));
  const groups = branches.length === 0 ? [] : [{ lead: [], branches }];
  const { keys, next } = readPage(db, { order: byRow, groups, edge: null }, query);
  const rows = keys.map(
    (key) =>
      prepared<JudgedLine>(db, `${judged} WHERE line.row = ?`).get(...key) ??
      prepared<UnreadRow>(db, 'SELECT * FROM unread WHERE row = ?').get(...key)!,
  );
  return { rows, next };
}

function branchesOf(verdict: RowVerdict, remarked: boolean): Branch[] {
  const judged = { from: 'fate', where: ['verdict = ?'], bound: [verdict] };
  const unread = { from: 'unread', where: ['verdict = ?'], bound: [verdict] };
  switch (verdict) {
    case 'new': {
      const where = remarked ? [isNew, 'row IN (SELECT row FROM remark)'] : [isNew];
      return [{ from: 'line', where, bound: [] }];
    }
    case 'duplicate':
      return [judged];
    case 'failed':
      return [unread];
    case 'skipped':
      return [judged, unread];
  }
}

/** Number of lines read per batch. */
const BATCH = 2000;

/** Yields the new lines of a plan in the order of the file, in batches. */
export function* newLines(db: ReadableDb): Generator<JudgedLine[]> {
  let after = 0;
  for (;;) {
    const lines = prepared<JudgedLine>(
      db,
      `${judged} WHERE line.row > ? AND coalesce(verdict, 'new') = 'new' ORDER BY line.row LIMIT ?`,
    ).all(after, BATCH);
    const last = lines.at(-1);
    if (last === undefined) return;
    yield lines;
    after = last.row;
  }
}

/** Counts the unreadable rows, the skipped rows, and the new lines with remarks. */
export function countPlanRows(db: ReadableDb): { failed: number; skipped: number; needs_review: number } {
  const unread = (verdict: string) =>
    prepared<number>(db, 'SELECT count(*) FROM unread WHERE verdict = ?').pluck().get(verdict)!;
  const needs_review = prepared<number>(
    db,
    `SELECT count(DISTINCT line.row) FROM remark CROSS JOIN line ON line.row = remark.row WHERE ${isNew}`,
  );
  return { failed: unread('failed'), skipped: unread('skipped'), needs_review: needs_review.pluck().get()! };
}

/** Returns the first lines of a statement. */
export function firstLines(
  db: ReadableDb,
  statement: number,
): Pick<PlannedLine, 'location' | 'description' | 'booked_on'>[] {
  return prepared<Pick<PlannedLine, 'location' | 'description' | 'booked_on'>>(
    db,
    'SELECT location, description, booked_on FROM line WHERE statement = ? ORDER BY row LIMIT 3',
  ).all(statement);
}
