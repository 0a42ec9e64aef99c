import type { ImportRowResult } from '../../../contract/index.ts';
import {
  type IndexScan,
  orderByColumn,
  type PageRequest,
  planListScans,
  readListPage,
} from '../lists/keyset-pagination.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import type { BankLineVerdict, PlannedBankLine, SkippedFileRow } from './import-plan-store.ts';

/** A planned bank line with its verdict and remarks. */
export type BankLineWithVerdict = PlannedBankLine &
  Omit<BankLineVerdict, 'isRestored'> & { is_back: 0 | 1; remarks: string | null };

const judged = `SELECT line.*, coalesce(verdict, 'new') AS verdict, stored, coalesce(occurrence, 1) AS occurrence,
    coalesce(is_back, 0) AS is_back, (SELECT group_concat(reason, ' ') FROM remark WHERE remark.row = line.row) AS remarks
  FROM line LEFT JOIN fate ON fate.row = line.row`;
const isNew = "NOT EXISTS (SELECT 1 FROM fate WHERE fate.row = line.row AND verdict <> 'new')";

export interface ImportPlanRowQuery extends PageRequest {
  verdict?: readonly ImportRowResult[] | undefined;
  /** True to list only rows with remarks. */
  remarked?: true | undefined;
}

/** Lists the rows of an import plan in file order. */
export function listStoredPlanRows(
  db: ReadableDb,
  query: ImportPlanRowQuery,
): { rows: (BankLineWithVerdict | SkippedFileRow)[]; next: string | null } {
  const { verdict = ['new', 'duplicate', 'failed', 'skipped'], remarked = false } = query;
  const scans = [...new Set(verdict)].flatMap((each) => getPlanRowScans(each, remarked));
  const { keys, next } = readListPage(
    db,
    planListScans(orderByColumn('plan rows', 'row', 'asc'), scans),
    query,
  );
  const rows = keys.map(
    (key) =>
      select.row<BankLineWithVerdict>(db, `${judged} WHERE line.row = ?`, ...key) ??
      select.row<SkippedFileRow>(db, 'SELECT * FROM unread WHERE row = ?', ...key)!,
  );
  return { rows, next };
}

function getPlanRowScans(verdict: ImportRowResult, remarked: boolean): IndexScan[] {
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

const BATCH = 2000;

/** Yields the new lines of an import plan in file order, in batches. */
export function* readNewBankLines(db: ReadableDb): Generator<BankLineWithVerdict[]> {
  let after = 0;
  for (;;) {
    const sql = `${judged} WHERE line.row > ? AND coalesce(verdict, 'new') = 'new' ORDER BY line.row LIMIT ?`;
    const lines = select.rows<BankLineWithVerdict>(db, sql, after, BATCH);
    const last = lines.at(-1);
    if (last === undefined) return;
    yield lines;
    after = last.row;
  }
}

/** Counts the import plan's unreadable rows, skipped rows and new lines with remarks. */
export function countImportPlanRows(db: ReadableDb): {
  failed: number;
  skipped: number;
  needs_review: number;
} {
  const unread = (verdict: string) =>
    select.value<number>(db, 'SELECT count(*) FROM unread WHERE verdict = ?', verdict)!;
  const sql = `SELECT count(DISTINCT line.row) FROM remark CROSS JOIN line ON line.row = remark.row WHERE ${isNew}`;
  const needs_review = prepareSql<number>(db, sql);
  return { failed: unread('failed'), skipped: unread('skipped'), needs_review: needs_review.pluck().get()! };
}

/** Returns the first lines of a bank statement in the file. */
export function listFirstStatementLines(
  db: ReadableDb,
  statement: number,
): Pick<PlannedBankLine, 'location' | 'description' | 'booked_on'>[] {
  const sql = 'SELECT location, description, booked_on FROM line WHERE statement = ? ORDER BY row LIMIT 3';
  return select.rows<Pick<PlannedBankLine, 'location' | 'description' | 'booked_on'>>(db, sql, statement);
}
