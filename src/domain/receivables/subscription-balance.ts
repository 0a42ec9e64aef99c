import {
  addCents,
  type BalanceMovementKind,
  type BalanceTransaction,
  type Cents,
  findBalanceEffect,
  findMovementKind,
} from '../ledger/index.ts';

/** Instant in UTC milliseconds. */
type Instant = number;

/** The fields of a statement that make up its subscription's balance. */
export interface BalanceStatement {
  readonly id: number;
  readonly opened: Instant;
  /** Closing time; null while the statement is open. */
  readonly closed: Instant | null;
  readonly starting: Cents;
  readonly ending: Cents;
}

/** A transaction on a statement. */
export interface StatementTransaction extends BalanceTransaction {
  readonly id: number;
  readonly created: Instant;
}

/**
 * A change of a subscription's balance. `started`: starting balance of its first statement. `carried`: starting balance
 * less the previous ending balance. `footing`: ending balance less everything else on the statement.
 */
export interface BalanceMovement<
  Statement extends BalanceStatement = BalanceStatement,
  Transaction extends StatementTransaction = StatementTransaction,
> {
  readonly statement: Statement;
  /** Transaction that caused the movement; null for other movements. */
  readonly transaction: Transaction | null;
  readonly kind: BalanceMovementKind | 'started' | 'carried' | 'footing';
  readonly at: Instant;
  readonly cents: Cents;
}

/** Sorts statements of a subscription by period. An open statement is the last. */
export function compareStatements(a: BalanceStatement, b: BalanceStatement): number {
  const [end, other] = [findEnd(a), findEnd(b)];
  return end === other ? a.opened - b.opened || a.id - b.id : end < other ? -1 : 1;
}

/** Returns the instant from which a statement is over: its closing, or its opening if that is later. */
const findEnd = ({ opened, closed }: BalanceStatement): Instant =>
  closed === null ? Number.POSITIVE_INFINITY : Math.max(closed, opened);

/** Returns true if a statement was closed before an instant. */
export const isClosedBefore = (statement: BalanceStatement, at: Instant): boolean => findEnd(statement) < at;

/**
 * Returns the movements of a statement in chronological order. A transaction counts on its date, but not before the
 * statement's opening or after its closing, so that the movements of a closed statement add up to its balances.
 */
export function listStatementMovements<
  Statement extends BalanceStatement,
  Transaction extends StatementTransaction,
>(
  previous: Statement | null,
  statement: Statement,
  transactions: readonly Transaction[],
): BalanceMovement<Statement, Transaction>[] {
  const { opened, starting, ending } = statement;
  const end = findEnd(statement);
  const movements: BalanceMovement<Statement, Transaction>[] = [];
  let balance = starting;
  for (const transaction of transactions.toSorted((a, b) => a.created - b.created)) {
    const kind = findMovementKind(transaction);
    if (kind === null) continue;
    const cents = findBalanceEffect(transaction) ?? 0;
    balance = addCents(balance, cents);
    const at = Math.min(Math.max(transaction.created, opened), end);
    movements.push({ statement, transaction, kind, at, cents });
  }
  const carried = previous === null ? starting : starting - previous.ending;
  const kind = previous === null ? 'started' : 'carried';
  if (carried !== 0) movements.unshift({ statement, transaction: null, kind, at: opened, cents: carried });
  if (statement.closed !== null && balance !== ending)
    movements.push({ statement, transaction: null, kind: 'footing', at: end, cents: ending - balance });
  return movements;
}

/**
 * Yields the parts of movements that make up a balance, if each payment or credit pays the oldest charges first: the
 * latest increases for an amount owed, and the latest decreases for a credit balance. `latestFirst` are all movements
 * up to the date of the balance, latest first; only as many as necessary are read.
 */
export function* findUnappliedMovements<Movement extends { readonly cents: Cents }>(
  balance: Cents,
  latestFirst: Iterable<Movement>,
): Generator<{ readonly movement: Movement; readonly cents: Cents }> {
  let rest = balance;
  if (rest === 0) return;
  for (const movement of latestFirst) {
    if (Math.sign(movement.cents) !== Math.sign(rest)) continue;
    const cents = Math.abs(movement.cents) < Math.abs(rest) ? movement.cents : rest;
    yield { movement, cents };
    rest -= cents;
    if (rest === 0) return;
  }
}
