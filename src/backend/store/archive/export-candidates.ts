import type { StatementFilter } from '../../../contract/index.ts';
import { readListPage, toRowIds } from '../lists/keyset-pagination.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { planStatementList } from '../statements/statement-list-plan.ts';
import { type StatementSelection, selectStatements } from '../statements/statement-selection.ts';

/** Fields of a statement that an export needs for the file name, the index and the latest PDF. */
export interface ExportCandidate {
  id: number;
  subscription_id: number;
  state: 0 | 1 | 2;
  opened_at: string | null;
  closed_at: string | null;
  settled_at: string | null;
  updated_at: string | null;
  customer_name: string;
  customer_organization: string | null;
  starting_balance_in_cents: number;
  ending_balance_in_cents: number;
  charges_in_cents: number;
  payments_in_cents: number;
  version: number | null;
  sha256: string | null;
  bytes: number | null;
  fetched_at: number | null;
}

const CHUNK = 1000;

/** Yields the statements that a filter selects, ordered by filing day, then id, in batches of a thousand. */
export function* readExportCandidates(
  db: ReadableDb,
  filter: StatementFilter,
): Generator<ExportCandidate[], void, undefined> {
  for (const ids of readStatementIds(db, selectStatements(db, filter))) yield listExportCandidates(db, ids);
}

/** Yields the ids of selected statements, ordered by filing day, then id, in batches of a thousand. */
export function* readStatementIds(
  db: ReadableDb,
  selection: StatementSelection,
): Generator<number[], void, undefined> {
  const plan = planStatementList(db, selection, { by: 'closed_at', direction: 'asc' });
  for (let after: string | undefined; ; ) {
    const { keys, next } = readListPage(db, plan, { after, limit: CHUNK });
    const ids = toRowIds(keys);
    if (ids.length > 0) yield ids;
    if (next === null) return;
    after = next;
  }
}

/** Returns the stored statements among the given ids, ordered by filing day, then id. */
export function listExportCandidates(db: ReadableDb, ids: readonly number[]): ExportCandidate[] {
  const sql = `SELECT statement.id, subscription_id, state, opened_at_text AS opened_at, closed_at_text AS closed_at,
       settled_at_text AS settled_at, updated_at_text AS updated_at, customer_name, customer_organization,
       starting_balance_in_cents, ending_balance_in_cents, charges_in_cents, payments_in_cents,
       version, sha256, bytes, fetched_at
     FROM statement LEFT JOIN pdf ON pdf.statement_id = statement.id
       AND pdf.version = (SELECT max(version) FROM pdf AS newest WHERE newest.statement_id = statement.id)
     WHERE statement.id IN (SELECT value FROM json_each(?)) ORDER BY dated_at, statement.id`;
  return select.rows<ExportCandidate>(db, sql, JSON.stringify(ids));
}
