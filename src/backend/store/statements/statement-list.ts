import type { Marks, Outputs, StatementFilter, StatementRow, Total } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { idsOf, readMarks, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { statementStates } from './statement.ts';
import { withPassages } from './statement-passage.ts';
import { type StatementSort, statementReading } from './statement-reading.ts';
import {
  isNoStatement,
  type StatementSelection,
  selectStatements,
  statementConditions,
} from './statement-selection.ts';

/** Maximum number of rows that are read to count and sum. */
const COUNT_BOUND = 10_000;

export interface StatementQuery {
  filter: StatementFilter;
  sort: StatementSort;
}

/** Returns a page of statements. The first page includes the number of statements and their sums. */
export function listStatements(
  db: ReadableDb,
  query: StatementQuery & { after?: string | undefined; limit: number },
): Outputs['statements']['list'] {
  const selection = selectStatements(db, query.filter);
  const { keys, next } = readPage(db, statementReading(db, selection, query.sort), query);
  const ids = idsOf(keys);
  const rows = withPassages(db, statementRows(db, ids), query.filter.search);
  if (query.after !== undefined) return { rows, next, total: null, sums: null };
  return { rows, next, ...sumStatements(db, selection) };
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function statementMarks(db: ReadableDb, query: StatementQuery & { every: number }): Marks {
  const reading = statementReading(db, selectStatements(db, query.filter), query.sort);
  return readMarks(db, reading, query.every, 'statement');
}

type Sums = NonNullable<Outputs['statements']['list']['sums']>;
interface Summed extends Sums {
  count: number;
}

const summed = `ifnull(sum(charges_in_cents), 0) AS charges_in_cents,
  ifnull(sum(payments_in_cents), 0) AS payments_in_cents`;

/** Computes the sums from stored totals or a covering index, or by reading rows up to a limit. */
function sumStatements(db: ReadableDb, selection: StatementSelection): { total: Total; sums: Sums | null } {
  const { filed, subscription_id, match, figure } = selection;
  const byRow = subscription_id !== null || match !== null || figure !== null;
  const { count, ...sums } = isNoStatement(selection)
    ? { count: 0, charges_in_cents: 0, payments_in_cents: 0 }
    : byRow
      ? sumOfRows(db, selection)
      : filed === null
        ? keptSums(db, selection)
        : sumOfDays(db, selection);
  return count > COUNT_BOUND && byRow && figure === null
    ? { total: { count: COUNT_BOUND, exact: false }, sums: null }
    : { total: { count, exact: true }, sums };
}

function keptSums(db: ReadableDb, { states }: StatementSelection): Summed {
  return prepared<Summed>(
    db,
    `SELECT ifnull(sum(count), 0) AS count, ${summed} FROM statement_sum
     WHERE state IN (SELECT value FROM json_each(?))`,
  ).get(JSON.stringify(states))!;
}

function sumOfDays(db: ReadableDb, selection: StatementSelection): Summed {
  const { filed, states } = selection;
  return prepared<Summed>(
    db,
    `SELECT count(*) AS count, ${summed} FROM statement INDEXED BY statement_filed
     WHERE state IN (SELECT value FROM json_each(?)) AND filed_at >= ? AND filed_at < ?`,
  ).get(JSON.stringify(states), filed!.from, filed!.until)!;
}

function sumOfRows(db: ReadableDb, selection: StatementSelection): Summed {
  const { where, bound } = statementConditions(selection);
  const { subscription_id, figure } = selection;
  const index =
    subscription_id !== null
      ? 'INDEXED BY statement_subscription'
      : figure === null
        ? 'NOT INDEXED'
        : 'INDEXED BY statement_filed';
  // The rows of a figure are counted completely.
  const most = figure === null ? COUNT_BOUND + 1 : -1;
  return prepared<Summed>(
    db,
    `SELECT count(*) AS count, ${summed} FROM (
       SELECT charges_in_cents, payments_in_cents FROM statement ${index}
       WHERE ${where.join(' AND ')} LIMIT ?)`,
  ).get(...bound, most)!;
}

/** Columns of a list row. */
export const statementColumns = `statement.id, subscription_id, state, opened_at_text AS opened_at,
  closed_at_text AS closed_at, settled_at_text AS settled_at, starting_balance_in_cents, ending_balance_in_cents,
  charges_in_cents, payments_in_cents, customer_name, customer_organization, vanished_at,
  EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id) AS pdf_stored`;

export interface StoredStatementRow extends Omit<StatementRow, 'state' | 'pdf_stored' | 'vanished_at'> {
  state: 0 | 1 | 2;
  pdf_stored: number;
  vanished_at: number | null;
}

export function shownStatement<Row extends StoredStatementRow>(
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
export function statementRows(db: ReadableDb, ids: readonly number[]): StatementRow[] {
  return prepared<StoredStatementRow>(
    db,
    `SELECT ${statementColumns} FROM json_each(?) AS wanted CROSS JOIN statement ON statement.id = wanted.value
     ORDER BY wanted.key`,
  )
    .all(JSON.stringify(ids))
    .map((row) => shownStatement(row));
}

export function statementFacets(db: ReadableDb): Outputs['statements']['facets'] {
  const counts = prepared<number>(db, 'SELECT count FROM statement_sum ORDER BY state').pluck().all();
  const [open = 0, unpaid = 0, paid = 0] = counts;
  const pdf_stored = prepared<number>(
    db,
    'SELECT count(DISTINCT statement_id) FROM pdf WHERE EXISTS (SELECT 1 FROM statement WHERE id = pdf.statement_id)',
  )
    .pluck()
    .get();
  return { total: open + unpaid + paid, open, unpaid, paid, pdf_stored: pdf_stored ?? 0 };
}
