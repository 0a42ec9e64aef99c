import type { FigureReference, StatementFilter } from '../../../contract/index.ts';
import { toMonthRange } from '../../../domain/ledger/index.ts';
import { buildAnyTextQuery, toFullTextExpression } from '../lists/search-expression.ts';
import { getTimeRangeConditions, type TimeRange, toTimeRange } from '../lists/time-range.ts';
import { type ReadableDb, type SqlValue, type SqlValues, select } from '../sqlite/connection.ts';
import { statementStates } from './statement.ts';

/** A statement filter in terms of stored columns. Null means that a column is not filtered. */
export interface StatementSelection {
  /** Selected values of `statement.state`. */
  states: number[];
  /** Time range of the filing day, which is the day of `closed_at`, or of `opened_at` for an open statement. */
  filed: TimeRange | null;
  subscription_id: number | null;
  /** FTS5 expression of the search. Empty if nothing can match. */
  match: string | null;
  /** Selection for a workpaper figure: each subscription's first or last statement of the month. */
  figure: { filed: TimeRange; is: 'first' | 'last' } | null;
  /** True if statements that the service no longer lists are left out. */
  isListed?: true;
}

/** Converts a statement filter to stored columns: states to numbers, days to instants in the site's calendar. */
export function selectStatements(db: ReadableDb, filter: StatementFilter): StatementSelection {
  const states = filter.state ?? statementStates;
  const figure = filter.figure === undefined ? null : selectFigure(db, filter.figure);
  return {
    states:
      figure === EMPTY_FIGURE ? [] : [...new Set(states.map((state) => statementStates.indexOf(state)))],
    filed: toTimeRange(filter, (at) => findStatementTimestampNear(db, at)) ?? figure?.filed ?? null,
    figure,
    subscription_id: filter.subscription_id ?? null,
    match: getMatchExpression(filter),
  };
}

/** Sort value of a missing date, which precedes every instant in the workpaper's order. */
const NEVER = -Number.MAX_SAFE_INTEGER;

/** Selection without statements, for a figure that no statement list shows. */
const EMPTY_FIGURE = { filed: { from: 0, until: 0 }, is: 'first' } as const;

function selectFigure(
  db: ReadableDb,
  { period, figure }: FigureReference,
): NonNullable<StatementSelection['figure']> {
  const is = figure === 'S1.opening' ? 'first' : figure === 'S1.closing' ? 'last' : null;
  if (is === null) return EMPTY_FIGURE;
  const { first: since, last: until } = toMonthRange(`${period}-01`);
  return {
    filed: toTimeRange({ since, until }, (at) => findStatementTimestampNear(db, at)) as TimeRange,
    is,
  };
}

export function isEmptyStatementSelection({ states, match }: StatementSelection): boolean {
  return states.length === 0 || match === '';
}

function getMatchExpression({ search, state }: StatementFilter): string | null {
  if (search === undefined || search.trim() === '') return null;
  const match = toFullTextExpression(search, ['customer', 'memo', 'text']);
  if (match === null) return '';
  const narrowing = state === undefined ? null : buildAnyTextQuery('narrow', state);
  return narrowing === null ? match : `(${match}) AND ${narrowing}`;
}

/** Returns the datetime text of the statement with the filing date nearest to an instant, or null if there is none. */
export function findStatementTimestampNear(db: ReadableDb, at: number): string | null {
  const near = statementStates.flatMap((_, state) =>
    [
      ['>=', 'ASC'],
      ['<', 'DESC'],
    ].flatMap(([comparison, direction]) => {
      const sql = `SELECT dated_at, coalesce(closed_at_text, opened_at_text, created_at_text) AS text
        FROM statement INDEXED BY statement_dated
        WHERE state = ? AND dated_at ${comparison} ? AND dated_at > 0 ORDER BY dated_at ${direction} LIMIT 1`;
      return select.row<{ dated_at: number; text: string | null }>(db, sql, state, at) ?? [];
    }),
  );
  return near.toSorted((a, b) => Math.abs(a.dated_at - at) - Math.abs(b.dated_at - at))[0]?.text ?? null;
}

/** Returns the SQL conditions of a selection. With `anyState`, omits the states, which the scans already select. */
export function getStatementConditions(
  { states, filed, subscription_id, match, figure, isListed }: StatementSelection,
  { anyState = false, inTime }: { anyState?: boolean; inTime?: 'asc' | 'desc' | undefined } = {},
): { where: string[]; bound: SqlValues } {
  const where: string[] = [];
  const bound: SqlValues = [];
  const add = (sql: string, value: SqlValue) => {
    where.push(sql);
    bound.push(value);
  };
  if (subscription_id !== null) add('subscription_id = ?', subscription_id);
  if (isListed) where.push('vanished_at IS NULL');
  if (!anyState && states.length < statementStates.length) {
    add('state IN (SELECT value FROM json_each(?))', JSON.stringify(states));
  }
  const days = getTimeRangeConditions(filed, 'dated_at', inTime);
  if (match !== null) add('id IN (SELECT rowid FROM statement_fts WHERE statement_fts MATCH ?)', match);
  if (figure !== null) {
    const { from, until } = figure.filed;
    const of = (table: string) =>
      `${table}.state IN (1, 2) AND ${table}.vanished_at IS NULL AND ${table}.dated_at >= ? AND ${table}.dated_at < ?`;
    const position = (table: string) =>
      `(coalesce(max(${table}.closed_at, ${table}.opened_at), ${NEVER}), ${table}.opened_at, ${table}.id)`;
    where.push(
      of('statement'),
      `NOT EXISTS (SELECT 1 FROM statement AS other INDEXED BY statement_subscription
         WHERE other.subscription_id = statement.subscription_id AND ${of('other')}
           AND ${position('other')} ${figure.is === 'first' ? '<' : '>'} ${position('statement')})`,
    );
    bound.push(from, until, from, until);
  }
  return { where: [...days.where, ...where], bound: [...days.bound, ...bound] };
}
