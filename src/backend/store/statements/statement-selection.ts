import type { FigureOf, StatementFilter } from '../../../contract/index.ts';
import { toMonthRange } from '../../../domain/ledger/index.ts';
import { dayStretch, type Stretch, within } from '../lists/day-range.ts';
import { oneOf, searchExpression } from '../lists/search-expression.ts';
import { prepared, type ReadableDb, type Value, type Values } from '../sqlite/connection.ts';
import { statementStates } from './statement.ts';

/** A filter expressed in stored columns. Null means not filtered. */
export interface StatementSelection {
  /** Values of `statement.state`. */
  states: number[];
  /** Time range of the filing day: that of closed_at, or of opened_at while the statement is open. */
  filed: Stretch | null;
  subscription_id: number | null;
  /** An FTS5 expression. Empty if nothing can match. */
  match: string | null;
  /**
   * For a figure of the workpaper: the statements of its month that are the first, or the last, of their subscription.
   */
  figure: { filed: Stretch; is: 'first' | 'last' } | null;
}

/** Converts a filter to stored columns: states to numbers, days to instants in the site's calendar. */
export function selectStatements(db: ReadableDb, filter: StatementFilter): StatementSelection {
  const states = filter.state ?? statementStates;
  const figure = filter.figure === undefined ? null : figureOf(db, filter.figure);
  return {
    states: figure === NO_FIGURE ? [] : [...new Set(states.map((state) => statementStates.indexOf(state)))],
    filed: dayStretch(filter, (at) => filedTextNear(db, at)) ?? figure?.filed ?? null,
    figure,
    subscription_id: filter.subscription_id ?? null,
    match: matchOf(filter),
  };
}

/** Sorts before every instant in the order of the workpaper. */
const NEVER = -Number.MAX_SAFE_INTEGER;

/** Selects nothing, for a figure that no statement list shows. */
const NO_FIGURE = { filed: { from: 0, until: 0 }, is: 'first' } as const;

function figureOf(db: ReadableDb, { period, figure }: FigureOf): NonNullable<StatementSelection['figure']> {
  const is = figure === 'S1.opening' ? 'first' : figure === 'S1.closing' ? 'last' : null;
  if (is === null) return NO_FIGURE;
  const { first: since, last: until } = toMonthRange(`${period}-01`);
  return { filed: dayStretch({ since, until }, (at) => filedTextNear(db, at)) as Stretch, is };
}

export function isNoStatement({ states, match }: StatementSelection): boolean {
  return states.length === 0 || match === '';
}

function matchOf({ search, state }: StatementFilter): string | null {
  if (search === undefined || search.trim() === '') return null;
  const match = searchExpression(search, ['customer', 'memo', 'text']);
  if (match === null) return '';
  const narrowing = state === undefined ? null : oneOf('narrow', state);
  return narrowing === null ? match : `(${match}) AND ${narrowing}`;
}

/** Returns the datetime text of the filing date nearest to an instant. */
function filedTextNear(db: ReadableDb, at: number): string | null {
  const near = statementStates.flatMap((_, state) => [
    filedText(db, state, '>=', 'ASC', at),
    filedText(db, state, '<', 'DESC', at),
  ]);
  const stored = near.filter((each) => each !== undefined);
  stored.sort((a, b) => Math.abs(a.filed_at - at) - Math.abs(b.filed_at - at));
  return stored[0]?.text ?? null;
}

function filedText(db: ReadableDb, state: number, side: '>=' | '<', direction: 'ASC' | 'DESC', at: number) {
  return prepared<{ filed_at: number; text: string | null }>(
    db,
    `SELECT filed_at, coalesce(closed_at_text, opened_at_text, created_at_text) AS text
     FROM statement INDEXED BY statement_filed
     WHERE state = ? AND filed_at ${side} ? AND filed_at > 0 ORDER BY filed_at ${direction} LIMIT 1`,
  ).get(state, at);
}

/**
 * Returns the conditions of a selection on the rows. With `anyState`, the read plan handles the states. With `inTime`,
 * rows are read in order of filing from the edge of the list.
 */
export function statementConditions(
  { states, filed, subscription_id, match, figure }: StatementSelection,
  { anyState = false, inTime }: { anyState?: boolean; inTime?: 'asc' | 'desc' | undefined } = {},
): { where: string[]; bound: Values } {
  const where: string[] = [];
  const bound: Values = [];
  const add = (sql: string, value: Value) => {
    where.push(sql);
    bound.push(value);
  };
  if (subscription_id !== null) add('subscription_id = ?', subscription_id);
  if (!anyState && states.length < statementStates.length) {
    add('state IN (SELECT value FROM json_each(?))', JSON.stringify(states));
  }
  const days = within(filed, 'filed_at', inTime);
  if (match !== null) add('id IN (SELECT rowid FROM statement_fts WHERE statement_fts MATCH ?)', match);
  if (figure !== null) {
    const { from, until } = figure.filed;
    const of = (table: string) =>
      `${table}.state IN (1, 2) AND ${table}.vanished_at IS NULL AND ${table}.filed_at >= ? AND ${table}.filed_at < ?`;
    const place = (table: string) =>
      `(coalesce(max(${table}.closed_at, ${table}.opened_at), ${NEVER}), ${table}.opened_at, ${table}.id)`;
    where.push(
      of('statement'),
      `NOT EXISTS (SELECT 1 FROM statement AS other INDEXED BY statement_subscription
         WHERE other.subscription_id = statement.subscription_id AND ${of('other')}
           AND ${place('other')} ${figure.is === 'first' ? '<' : '>'} ${place('statement')})`,
    );
    bound.push(from, until, from, until);
  }
  return { where: [...days.where, ...where], bound: [...days.bound, ...bound] };
}
