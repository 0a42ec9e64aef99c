import type { ActivityKind, ContractOutputs } from '../../../contract/index.ts';
import {
  countScannedRows,
  decodeCursor,
  encodeCursor,
  type IndexScan,
  type ListOrder,
  type PageRequest,
  planListScans,
  readListPage,
} from '../lists/keyset-pagination.ts';
import type { ReadableDb, SqlValues } from '../sqlite/connection.ts';
import {
  type ActivityMilestone,
  type ActivityPosition,
  activityMilestones,
  readActivityEntries,
} from './activity-entries.ts';
import { readActivityFigures } from './activity-figures.ts';

export interface ActivityQuery extends PageRequest {
  subscription_id: number;
  kinds?: readonly ActivityKind[] | undefined;
  direction: 'asc' | 'desc';
}

const order = (direction: 'asc' | 'desc'): ListOrder => ({
  name: 'activity',
  columns: ['at', 'statement', 'milestone', 'first', 'second'].map((name) => ({ name, type: 'number' })),
  direction,
});

interface Source {
  kind: ActivityKind;
  /** Milestone of the statement that this source's entries show. */
  milestone?: 'opened' | 'closed' | 'settled';
  from: string;
  where: string;
  at: string;
  /** SQL expression for the id of the row's statement, if any. */
  statement: string;
  first: string;
  second?: string;
}

/** Sorts quantity changes before the statements, because they cause the charges. `AFTER_ALL` sorts webhooks last. */
const BEFORE_ALL = '0 | 0';
const AFTER_ALL = '9007199254740991 | 0';

const statementScan = 'statement INDEXED BY statement_subscription';
const sources: readonly Source[] = [
  ...(['opened', 'closed', 'settled'] as const).map(
    (milestone): Source => ({
      kind: 'statement',
      milestone,
      from: statementScan,
      where: `statement.subscription_id = ? AND ${milestone}_at_text IS NOT NULL`,
      at: `ifnull(${milestone}_at, 0)`,
      statement: 'statement.id',
      first: 'statement.id',
    }),
  ),
  {
    kind: 'transaction',
    from: `${statementScan} CROSS JOIN txn ON txn.statement_id = statement.id`,
    where: 'statement.subscription_id = ?',
    at: 'txn.created_at',
    statement: 'statement.id',
    first: 'txn.row',
  },
  {
    kind: 'event',
    from: `${statementScan} CROSS JOIN statement_event ON statement_event.statement_id = statement.id`,
    where: 'statement.subscription_id = ?',
    at: 'ifnull(statement_event.created_at, 0)',
    statement: 'statement.id',
    first: 'statement.id',
    second: 'statement_event.ordinal',
  },
  {
    kind: 'allocation',
    from: 'allocation',
    where: 'subscription_id = ?',
    at: 'timestamp_ms',
    statement: BEFORE_ALL,
    first: 'component_id',
    second: 'ordinal',
  },
  {
    kind: 'webhook',
    from: 'webhook INDEXED BY webhook_subscription',
    where: 'subscription_id = ?',
    at: 'created_at',
    statement: AFTER_ALL,
    first: 'id',
  },
];

/** Query for the open and accepted exceptions in a subscription's activity. */
const exceptionSource: Source = {
  kind: 'exception',
  from: 'exception_link CROSS JOIN exception ON exception.id = exception_id',
  where: "exception_link.kind = 'subscription' AND exception_link.id = ? AND status <> 'closed'",
  at: 'dated_at',
  statement: AFTER_ALL,
  first: 'exception.id',
};

/** Returns a page of a subscription's activity in time order. The first page includes the summary. */
export function readActivity(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  query: ActivityQuery,
): ContractOutputs['subscriptions']['activity'] | null {
  const { subscription_id, kinds, direction, after, limit } = query;
  const toScans = (all: readonly Source[]): IndexScan[] =>
    all
      .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
      .map((source) => toActivityScan(source, subscription_id));
  const inCache = toScans(sources);
  const inBooks = toScans([exceptionSource]);
  const by = order(direction);
  if (after !== undefined) decodeCursor(by, after);
  const read = (db: ReadableDb, scans: IndexScan[]) =>
    readListPage(db, planListScans(by, scans), { after, limit: limit + 1 }).keys;
  const positions = [...read(cache, inCache), ...read(books, inBooks)] as ActivityPosition[];
  positions.sort((a, b) => (direction === 'asc' ? compare(a, b) : compare(b, a)));
  const page = positions.slice(0, limit);
  const next = positions.length > limit ? encodeCursor(by, page.at(-1) as SqlValues) : null;
  const rows = readActivityEntries(cache, books, subscription_id, page);
  if (after !== undefined) return { rows, next, total: null, figures: null };
  const figures = readActivityFigures(cache, books, subscription_id, (source) =>
    source === 'exception'
      ? countScannedRows(books, [toActivityScan(exceptionSource, subscription_id)])
      : countScannedRows(
          cache,
          sources
            .filter(
              ({ kind, milestone }) => kind === source && milestone !== 'closed' && milestone !== 'settled',
            )
            .map((each) => toActivityScan(each, subscription_id)),
        ),
  );
  if (figures === null) return null;
  const count = countScannedRows(cache, inCache) + countScannedRows(books, inBooks);
  return { rows, next, total: { count, exact: true }, figures };
}

/**
 * Returns the index scan of an activity source. Columns are expressions, because SQLite would read a plain constant in
 * ORDER BY as a column index.
 */
function toActivityScan(source: Source, subscription: number): IndexScan {
  const { from, where, at, statement, first, second = '0 | 0' } = source;
  const milestone = activityMilestones.indexOf((source.milestone ?? source.kind) as ActivityMilestone);
  const as = { at, statement, milestone: `${milestone} | 0`, first, second };
  return { from, where: [where], bound: [subscription], as };
}

function compare(a: ActivityPosition, b: ActivityPosition): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
