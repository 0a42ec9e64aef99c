import type { ActivityKind, Outputs } from '../../../contract/index.ts';
import {
  type Branch,
  countRows,
  decodeCursor,
  encodeCursor,
  type Order,
  readPage,
} from '../lists/keyset-pagination.ts';
import type { ReadableDb, Values } from '../sqlite/connection.ts';
import {
  type ActivityMilestone,
  type ActivityPosition,
  activityEntries,
  activityMilestones,
} from './activity-entries.ts';
import { activityFigures } from './activity-figures.ts';

export interface ActivityQuery {
  subscription_id: number;
  kinds?: readonly ActivityKind[] | undefined;
  direction: 'asc' | 'desc';
  after?: string | undefined;
  limit: number;
}

const order = (direction: 'asc' | 'desc'): Order => ({
  name: 'activity',
  columns: ['at', 'statement', 'turn', 'first', 'second'].map((name) => ({ name, type: 'number' })),
  direction,
});

interface Source {
  kind: ActivityKind;
  turn: ActivityMilestone;
  from: string;
  where: string;
  at: string;
  /** SQL for the statement that the row belongs to, if any. */
  statement: string;
  first: string;
  second: string;
}

/** Sort position that puts a quantity change before its charge, and a webhook after everything it may report. */
const BEFORE_ALL = '0 | 0';
const AFTER_ALL = '9007199254740991 | 0';

const ofStatements = 'statement INDEXED BY statement_subscription';
const sources: readonly Source[] = [
  ...(['opened', 'closed', 'settled'] as const).map(
    (turn): Source => ({
      kind: 'statement',
      turn,
      from: ofStatements,
      where: `statement.subscription_id = ? AND ${turn}_at_text IS NOT NULL`,
      at: `ifnull(${turn}_at, 0)`,
      statement: 'statement.id',
      first: 'statement.id',
      second: '0 | 0',
    }),
  ),
  {
    kind: 'transaction',
    turn: 'transaction',
    from: `${ofStatements} CROSS JOIN txn ON txn.statement_id = statement.id`,
    where: 'statement.subscription_id = ?',
    at: 'txn.created_at',
    statement: 'statement.id',
    first: 'txn.row',
    second: '0 | 0',
  },
  {
    kind: 'event',
    turn: 'event',
    from: `${ofStatements} CROSS JOIN statement_event ON statement_event.statement_id = statement.id`,
    where: 'statement.subscription_id = ?',
    at: 'ifnull(statement_event.created_at, 0)',
    statement: 'statement.id',
    first: 'statement.id',
    second: 'statement_event.ordinal',
  },
  {
    kind: 'allocation',
    turn: 'allocation',
    from: 'allocation',
    where: 'subscription_id = ?',
    at: 'timestamp_ms',
    statement: BEFORE_ALL,
    first: 'component_id',
    second: 'ordinal',
  },
  {
    kind: 'webhook',
    turn: 'webhook',
    from: 'webhook INDEXED BY webhook_subscription',
    where: 'subscription_id = ?',
    at: 'created_at',
    statement: AFTER_ALL,
    first: 'id',
    second: '0 | 0',
  },
];

/** Exceptions that concern the subscription, except closed ones. */
const exceptionSource: Source = {
  kind: 'exception',
  turn: 'exception',
  from: 'exception_link CROSS JOIN exception ON exception.id = exception_id',
  where: "exception_link.kind = 'subscription' AND exception_link.id = ? AND status <> 'closed'",
  at: 'dated_at',
  statement: AFTER_ALL,
  first: 'exception.id',
  second: '0 | 0',
};

/** Returns a page of a subscription's activity in order of time. The first page includes the summary. */
export function activity(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  query: ActivityQuery,
): Outputs['subscriptions']['activity'] | null {
  const { subscription_id, kinds, direction, after, limit } = query;
  const branchesOf = (all: readonly Source[]): Branch[] =>
    all
      .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
      .map((source) => branchOf(source, subscription_id));
  const inCache = branchesOf(sources);
  const inBooks = branchesOf([exceptionSource]);
  const by = order(direction);
  if (after !== undefined) decodeCursor(by, after);
  const read = (db: ReadableDb, branches: Branch[]) =>
    branches.length === 0
      ? []
      : readPage(db, { order: by, groups: [{ lead: [], branches }], edge: null }, { after, limit: limit + 1 })
          .keys;
  const places = [...read(cache, inCache), ...read(books, inBooks)] as ActivityPosition[];
  places.sort((a, b) => (direction === 'asc' ? compare(a, b) : compare(b, a)));
  const page = places.slice(0, limit);
  const next = places.length > limit ? encodeCursor(by, page.at(-1) as Values) : null;
  const rows = activityEntries(cache, books, subscription_id, page);
  if (after !== undefined) return { rows, next, total: null, figures: null };
  const figures = activityFigures(cache, books, subscription_id, (source) =>
    source === 'exception'
      ? countRows(books, [branchOf(exceptionSource, subscription_id)])
      : countRows(
          cache,
          sources
            .filter(({ kind, turn }) => kind === source && turn !== 'closed' && turn !== 'settled')
            .map((each) => branchOf(each, subscription_id)),
        ),
  );
  if (figures === null) return null;
  const count = countRows(cache, inCache) + countRows(books, inBooks);
  return { rows, next, total: { count, exact: true }, figures };
}

/** In ORDER BY, a bare number would be a column index, so the constants are written as expressions. */
function branchOf({ from, where, turn, at, statement, first, second }: Source, subscription: number): Branch {
  return {
    from,
    where: [where],
    bound: [subscription],
    as: { at, statement, turn: `${activityMilestones.indexOf(turn)} | 0`, first, second },
  };
}

function compare(a: ActivityPosition, b: ActivityPosition): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
