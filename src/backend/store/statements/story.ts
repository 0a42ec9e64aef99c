import type { Outputs, StoryKind } from '../../../contract/index.ts';
import type { ReadableDb, Values } from '../database.ts';
import { type Branch, countRows, decodeCursor, encodeCursor, type Order, readPage } from '../keyset.ts';
import { type StoryPlace, type StoryTurn, storyEntries, storyTurns } from './story-entries.ts';
import { storyFigures } from './story-figures.ts';

export interface StoryQuery {
  subscription_id: number;
  kinds?: readonly StoryKind[] | undefined;
  direction: 'asc' | 'desc';
  after?: string | undefined;
  limit: number;
}

const order = (direction: 'asc' | 'desc'): Order => ({
  name: 'story',
  columns: ['at', 'statement', 'turn', 'first', 'second'].map((name) => ({ name, type: 'number' })),
  direction,
});

interface Source {
  kind: StoryKind;
  turn: StoryTurn;
  from: string;
  where: string;
  at: string;
  /** Whose it is, where it is a statement’s. */
  statement: string;
  first: string;
  second: string;
}

/** A change of quantity comes before what is charged for it, a webhook after all it may tell of. */
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

/** Exceptions that concern the subscription; those that were mended are over. */
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

/** A page of everything held of a subscription, in the order of time; with the first one, the figures above it. */
export function story(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  query: StoryQuery,
): Outputs['subscriptions']['story'] | null {
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
  const places = [...read(cache, inCache), ...read(books, inBooks)] as StoryPlace[];
  places.sort((a, b) => (direction === 'asc' ? compare(a, b) : compare(b, a)));
  const page = places.slice(0, limit);
  const next = places.length > limit ? encodeCursor(by, page.at(-1) as Values) : null;
  const rows = storyEntries(cache, books, subscription_id, page);
  if (after !== undefined) return { rows, next, total: null, figures: null };
  const figures = storyFigures(cache, books, subscription_id, (source) =>
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

/** A bare number would name a column where rows are ordered by it. */
function branchOf({ from, where, turn, at, statement, first, second }: Source, subscription: number): Branch {
  return {
    from,
    where: [where],
    bound: [subscription],
    as: { at, statement, turn: `${storyTurns.indexOf(turn)} | 0`, first, second },
  };
}

function compare(a: StoryPlace, b: StoryPlace): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
