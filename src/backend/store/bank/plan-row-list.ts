import type { RowVerdict } from '../../../contract/index.ts';
import {
  type IndexScan,
  orderByColumn,
  type PageRequest,
  planScans,
  readPage,
} from '../lists/keyset-pagination.ts';
import { prepare, type ReadableDb, select } from '../sqlite/connection.ts';
import type { LineVerdict, PlannedLine, SkippedFileRow } from './import-plan-store.ts';

/** A line with its verdict and the remarks about it. */
export type LineWithVerdict = PlannedLine &
  Omit<LineVerdict, 'isBack'> & { is_back: 0 | 1; remarks: string | null };

const judged = `SELECT line.*, coalesce(verdict, 'new') AS verdict, stored, coalesce(occurrence, 1) AS occurrence,
    coalesce(is_back, 0) AS is_back, (SELECT group_concat(reason, ' ') FROM remark WHERE remark.row = line.row) AS remarks
  FROM line LEFT JOIN fate ON fate.row = line.row`;
const isNew = "NOT EXISTS (SELECT 1 FROM fate WHERE fate.row = line.row AND verdict <> 'new')";

export interface PlanRowQuery extends PageRequest {
  verdict?: readonly RowVerdict[] | undefined;
  /** True to list only rows that have remarks. */
  remarked?: true | undefined;
}

/** Lists the rows of a plan in the order of the file. */
export function listPlanRows(
  db: ReadableDb,
  query: PlanRowQuery,
): { rows: (LineWithVerdict | SkippedFileRow)[]; next: string | null } {
  const { verdict = ['new', 'duplicate', 'failed', 'skipped'], remarked = false } = query;
  const branches = [...new Set(verdict)].flatMap((each) => getPlanRowScans(each, remarked));
  const { keys, next } = readPage(db, planScans(orderByColumn('plan rows', 'row', 'asc'), branches), query);
  const rows = keys.map(
    (key) =>
      select.row<LineWithVerdict>(db, `${judged} WHERE line.row = ?`, ...key) ??
      select.row<SkippedFileRow>(db, 'SELECT * FROM unread WHERE row = ?', ...key)!,
  );
  return { rows, next };
}

function getPlanRowScans(verdict: RowVerdict, remarked: boolean): IndexScan[] {
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
export function* readNewLines(db: ReadableDb): Generator<LineWithVerdict[]> {
  let after = 0;
  for (;;) {
    const sql = `${judged} WHERE line.row > ? AND coalesce(verdict, 'new') = 'new' ORDER BY line.row LIMIT ?`;
    const lines = select.rows<LineWithVerdict>(db, sql, after, BATCH);
    const last = lines.at(-1);
    if (last === undefined) return;
    yield lines;
    after = last.row;
  }
}

/** Counts the unreadable rows, the skipped rows, and the new lines with remarks. */
export function countPlanRows(db: ReadableDb): { failed: number; skipped: number; needs_review: number } {
  const unread = (verdict: string) =>
    select.value<number>(db, 'SELECT count(*) FROM unread WHERE verdict = ?', verdict)!;
  const sql = `SELECT count(DISTINCT line.row) FROM remark CROSS JOIN line ON line.row = remark.row WHERE ${isNew}`;
  const needs_review = prepare<number>(db, sql);
  return { failed: unread('failed'), skipped: unread('skipped'), needs_review: needs_review.pluck().get()! };
}

/** Returns the first lines of a statement. */
export function listFirstLines(
  db: ReadableDb,
  statement: number,
): Pick<PlannedLine, 'location' | 'description' | 'booked_on'>[] {
  const sql = 'SELECT location, description, booked_on FROM line WHERE statement = ? ORDER BY row LIMIT 3';
  return select.rows<Pick<PlannedLine, 'location' | 'description' | 'booked_on'>>(db, sql, statement);
}
