import type {
  ContractOutputs,
  ListTotal,
  PageMarks,
  StatementFilter,
  StatementRow,
} from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { readListPage, readPageCursors, toRowIds } from '../lists/keyset-pagination.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { statementStates } from './statement.ts';
import { planStatementList, type StatementSort } from './statement-list-plan.ts';
import { addSearchPassages } from './statement-search-passages.ts';
import {
  getStatementConditions,
  isEmptyStatementSelection,
  type StatementSelection,
  selectStatements,
} from './statement-selection.ts';

/** Maximum number of statements read for counts and sums. */
const MAX_COUNTED_ROWS = 10_000;

export interface StatementQuery {
  filter: StatementFilter;
  sort: StatementSort;
}

/** Returns a page of statements. The first page includes the number of statements and their sums. */
export function listStatements(
  db: ReadableDb,
  query: StatementQuery & { after?: string | undefined; limit: number },
): ContractOutputs['statements']['list'] {
  const selection = selectStatements(db, query.filter);
  const { keys, next } = readListPage(db, planStatementList(db, selection, query.sort), query);
  const ids = toRowIds(keys);
  const rows = addSearchPassages(db, listStatementsById(db, ids), query.filter.search);
  if (query.after !== undefined) return { rows, next, total: null, sums: null };
  return { rows, next, ...sumStatements(db, selection) };
}

export function readStatementPageCursors(
  db: ReadableDb,
  query: StatementQuery & { every: number },
): PageMarks {
  const plan = planStatementList(db, selectStatements(db, query.filter), query.sort);
  return readPageCursors(db, plan, query.every, 'statement');
}

type Sums = NonNullable<ContractOutputs['statements']['list']['sums']>;
interface Summed extends Sums {
  count: number;
}

const sumColumns = `ifnull(sum(charges_in_cents), 0) AS charges_in_cents,
  ifnull(sum(payments_in_cents), 0) AS payments_in_cents`;

/** Returns the sums of a selection from stored totals or a covering index, or else by reading rows up to a limit. */
function sumStatements(
  db: ReadableDb,
  selection: StatementSelection,
): { total: ListTotal; sums: Sums | null } {
  const { filed, subscription_id, match, figure } = selection;
  const byRow = subscription_id !== null || match !== null || figure !== null;
  const { count, ...sums } = isEmptyStatementSelection(selection)
    ? { count: 0, charges_in_cents: 0, payments_in_cents: 0 }
    : byRow
      ? sumRows(db, selection)
      : filed === null
        ? readStoredSums(db, selection)
        : sumDays(db, selection);
  return count > MAX_COUNTED_ROWS && byRow && figure === null
    ? { total: { count: MAX_COUNTED_ROWS, exact: false }, sums: null }
    : { total: { count, exact: true }, sums };
}

function readStoredSums(db: ReadableDb, { states }: StatementSelection): Summed {
  const sql = `SELECT ifnull(sum(count), 0) AS count, ${sumColumns} FROM statement_sum
     WHERE state IN (SELECT value FROM json_each(?))`;
  return select.row<Summed>(db, sql, JSON.stringify(states))!;
}

function sumDays(db: ReadableDb, selection: StatementSelection): Summed {
  const { filed, states } = selection;
  const sql = `SELECT count(*) AS count, ${sumColumns} FROM statement INDEXED BY statement_dated
     WHERE state IN (SELECT value FROM json_each(?)) AND dated_at >= ? AND dated_at < ?`;
  return select.row<Summed>(db, sql, JSON.stringify(states), filed!.from, filed!.until)!;
}

function sumRows(db: ReadableDb, selection: StatementSelection): Summed {
  const { where, bound } = getStatementConditions(selection);
  const { subscription_id, figure } = selection;
  const index =
    subscription_id !== null
      ? 'INDEXED BY statement_subscription'
      : figure === null
        ? 'NOT INDEXED'
        : 'INDEXED BY statement_dated';
  // The rows of a workpaper figure are counted without a limit.
  const most = figure === null ? MAX_COUNTED_ROWS + 1 : -1;
  const sql = `SELECT count(*) AS count, ${sumColumns} FROM (
       SELECT charges_in_cents, payments_in_cents FROM statement ${index}
       WHERE ${where.join(' AND ')} LIMIT ?)`;
  return select.row<Summed>(db, sql, ...bound, most)!;
}

export const statementColumns = `statement.id, subscription_id, state, opened_at_text AS opened_at,
  closed_at_text AS closed_at, settled_at_text AS settled_at, starting_balance_in_cents, ending_balance_in_cents,
  charges_in_cents, payments_in_cents, customer_name, customer_organization, vanished_at,
  EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id) AS pdf_stored`;

export interface StoredStatementRow extends Omit<StatementRow, 'state' | 'pdf_stored' | 'vanished_at'> {
  state: 0 | 1 | 2;
  pdf_stored: number;
  vanished_at: number | null;
}

export function toStatementRow<Row extends StoredStatementRow>(
  row: Row,
): Omit<Row, 'state' | 'pdf_stored' | 'vanished_at'> &
  Pick<StatementRow, 'state' | 'pdf_stored' | 'vanished_at'> {
  return {
    ...row,
    state: statementStates[row.state],
    pdf_stored: row.pdf_stored === 1,
    vanished_at: formatTimestamp(row.vanished_at),
  };
}

/** Returns the statements with these ids in the given order. */
export function listStatementsById(db: ReadableDb, ids: readonly number[]): StatementRow[] {
  const sql = `SELECT ${statementColumns} FROM json_each(?) AS wanted CROSS JOIN statement ON statement.id = wanted.value
     ORDER BY wanted.key`;
  return select.rows<StoredStatementRow>(db, sql, JSON.stringify(ids)).map((row) => toStatementRow(row));
}

export function readStatementFacets(db: ReadableDb): ContractOutputs['statements']['facets'] {
  const counts = select.values<number>(db, 'SELECT count FROM statement_sum ORDER BY state');
  const [open = 0, unpaid = 0, paid = 0] = counts;
  const sql =
    'SELECT count(DISTINCT statement_id) FROM pdf WHERE EXISTS (SELECT 1 FROM statement WHERE id = pdf.statement_id)';
  const pdf_stored = prepareSql<number>(db, sql).pluck().get();
  return { total: open + unpaid + paid, open, unpaid, paid, pdf_stored: pdf_stored ?? 0 };
}
