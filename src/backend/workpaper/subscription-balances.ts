import { addCents, type Cents, type DateRange } from '../../domain/ledger/index.ts';
import {
  type BalanceMovement,
  compareStatements,
  findUnappliedMovements,
  isClosedBefore,
  listStatementMovements,
} from '../../domain/receivables/index.ts';
import { toChunks } from '../shared/chunks.ts';
import type { TimeRange } from '../store/lists/time-range.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import {
  type ReceivableStatement,
  type ReceivableTransaction,
  readReceivableStatements,
  readReceivableTransactions,
} from '../store/workpaper/receivable-rows.ts';
import { findStatementTimeRange } from '../store/workpaper/workpaper-billing.ts';

export type Movement = BalanceMovement<ReceivableStatement, ReceivableTransaction>;

/** Balance at an instant: the last closed statement's ending balance and the later movements. */
export interface BalanceAt {
  readonly last: ReceivableStatement | null;
  readonly since: readonly Movement[];
}

/** Balances of a subscription at the beginning and end of a period, and the movements between them. */
export interface SubscriptionBalance {
  readonly subscription: number;
  readonly opening: BalanceAt;
  readonly movements: readonly Movement[];
  readonly closing: BalanceAt;
  /** Open charges that make up the closing balance, or open credits and payments for a credit balance. */
  readonly open: readonly { readonly movement: Movement; readonly cents: Cents }[];
}

/** Returns the total of a balance in cents. */
export const sumBalance = ({ last, since }: BalanceAt): Cents =>
  since.reduce((sum, { cents }) => addCents(sum, cents), last?.ending ?? 0);

/** Number of subscriptions whose transactions are read per batch. */
const SUBSCRIPTIONS_PER_BATCH = 200;

/** Statements of a subscription in order, with the number of statements closed before the period. */
interface Chain {
  readonly subscription: number;
  readonly statements: readonly ReceivableStatement[];
  readonly closedBefore: number;
}

/**
 * Yields the balances of all subscriptions in a period, and null after each batch. Reads the transactions of statements
 * that were not closed before the period. Reads transactions of earlier statements only as far as they explain the
 * closing balance.
 */
export function* readSubscriptionBalances(
  cache: ReadableDb,
  period: DateRange,
): Generator<SubscriptionBalance | null, void, undefined> {
  const range = findStatementTimeRange(cache, period);
  for (const chains of toChunks(readChains(cache, range), SUBSCRIPTIONS_PER_BATCH)) {
    const ids = chains.flatMap(({ statements, closedBefore }) =>
      statements.slice(closedBefore).flatMap(({ id, opened }) => (opened < range.until ? id : [])),
    );
    const transactions = readReceivableTransactions(cache, ids);
    for (const chain of chains) yield computeBalance(cache, chain, range, transactions);
    yield null;
  }
}

function* readChains(cache: ReadableDb, { from }: TimeRange): Generator<Chain> {
  let group: ReceivableStatement[] = [];
  const toChain = (): Chain => {
    const statements = group.sort(compareStatements);
    const closedBefore = statements.findIndex((each) => !isClosedBefore(each, from));
    return {
      subscription: statements[0]?.subscription_id ?? 0,
      statements,
      closedBefore: closedBefore === -1 ? statements.length : closedBefore,
    };
  };
  for (const statement of readReceivableStatements(cache)) {
    if (group.length > 0 && group[0]?.subscription_id !== statement.subscription_id) {
      yield toChain();
      group = [];
    }
    group.push(statement);
  }
  if (group.length > 0) yield toChain();
}

function computeBalance(
  cache: ReadableDb,
  { subscription, statements, closedBefore }: Chain,
  { from, until }: TimeRange,
  transactions: ReadonlyMap<number, readonly ReceivableTransaction[]>,
): SubscriptionBalance {
  const listMovements = (at: number, of = transactions): Movement[] => {
    const statement = statements[at] as ReceivableStatement;
    return listStatementMovements(statements[at - 1] ?? null, statement, of.get(statement.id) ?? []);
  };
  const all: Movement[] = [];
  for (let at = closedBefore; at < statements.length; at++)
    if ((statements[at]?.opened ?? until) < until)
      all.push(...listMovements(at).filter((each) => each.at < until));
  const opening = { last: statements[closedBefore - 1] ?? null, since: all.filter(({ at }) => at < from) };
  const last = statements.findLast((each) => isClosedBefore(each, until)) ?? null;
  const closing = {
    last,
    since: all.filter(({ statement }) => !isClosedBefore(statement, until)),
  };
  function* latestFirst(): Generator<Movement> {
    yield* all.toReversed();
    for (let at = closedBefore - 1; at >= 0; at--) {
      const ids = [(statements[at] as ReceivableStatement).id];
      yield* listMovements(at, readReceivableTransactions(cache, ids)).reverse();
    }
  }
  return {
    subscription,
    opening,
    movements: all.filter(({ at }) => at >= from),
    closing,
    open: [...findUnappliedMovements(sumBalance(closing), latestFirst())],
  };
}
