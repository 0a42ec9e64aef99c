import { type Cents, findBalanceEffect, findRunningBalanceChange, toExactCents } from '../../ledger/index.ts';
import type { StatementRecord, TransactionRecord } from './subscription-record.ts';

/** A statement with the computed sum of its transactions. */
export interface StatementFooting {
  readonly statement: StatementRecord;
  /** Transactions in the order in which they changed the balance. */
  readonly transactions: readonly TransactionRecord[];
  /** Effect of each transaction on the balance in cents; null if unknown. */
  readonly effects: readonly (Cents | null)[];
  /** Sum of the effects in cents; null if an effect is unknown or the sum is not exact. */
  readonly sum: Cents | null;
  /** Computed closing balance in cents: opening balance plus sum of the effects. */
  readonly computed: Cents | null;
  /** Stated minus computed closing balance in cents; null while the statement is open or if a figure is missing. */
  readonly difference: Cents | null;
}

export function footStatement(statement: StatementRecord): StatementFooting {
  const transactions = sortByRunningBalance(statement);
  const effects = transactions.map(findBalanceEffect);
  const { starting_balance_in_cents: starting, ending_balance_in_cents: ending } = statement;
  const sum = sumEffects(effects);
  const computed = sum === null || starting === null ? null : toExactCents(starting + sum);
  const closed = statement.closed_at !== null && ending !== null;
  const difference = closed && computed !== null ? toExactCents(ending - computed) : null;
  return { statement, transactions, effects, sum, computed, difference };
}

/** Returns the exact sum of effects; null if an effect is unknown or the sum is not exact. */
export function sumEffects(effects: readonly (Cents | null)[]): Cents | null {
  let sum: Cents | null = 0;
  for (const effect of effects) sum = sum === null || effect === null ? null : toExactCents(sum + effect);
  return sum;
}

/** Returns the balance after the transaction at `index`, computed from the effects; null if an effect is unknown. */
export function computeBalanceAfter(footing: StatementFooting, index: number): Cents | null {
  let balance = footing.statement.starting_balance_in_cents;
  for (let current = 0; current <= index && balance !== null; current++) {
    const effect = footing.effects[current] as Cents | null;
    balance = effect === null ? null : toExactCents(balance + effect);
  }
  return balance;
}

/** A position on a statement at which the service's running balances are not continuous. */
export interface BalanceBreak {
  readonly where: 'opening' | 'movement' | 'link' | 'closing';
  /** Transaction at which the break appears. For `link`, the later of the two transactions. */
  readonly transaction: TransactionRecord;
  readonly expected: Cents;
  readonly actual: Cents;
}

/**
 * Returns the breaks in the running balances: the first transaction does not start at the opening balance, a
 * transaction does not change the balance by its effect or does not start where the previous one ended, or the last
 * one does not end at the closing balance. Ignores transactions for which `skip` returns true.
 */
export function findBalanceBreaks(
  footing: StatementFooting,
  skip?: ReadonlySet<TransactionRecord>,
): BalanceBreak[] {
  const { statement, transactions, effects } = footing;
  const breaks: BalanceBreak[] = [];
  let balance = statement.starting_balance_in_cents;
  let last: TransactionRecord | null = null;
  for (const [index, transaction] of transactions.entries()) {
    if (skip?.has(transaction)) continue;
    const { starting_balance_in_cents: starting, ending_balance_in_cents: ending } = transaction;
    if (starting !== null && balance !== null && starting !== balance) {
      const where = last === null ? 'opening' : 'link';
      breaks.push({ where, transaction, expected: balance, actual: starting });
    }
    const change = findRunningBalanceChange(transaction);
    const effect = effects[index] as Cents | null;
    if (change !== null && effect !== null && change !== effect)
      breaks.push({ where: 'movement', transaction, expected: effect, actual: change });
    balance = ending;
    last = transaction;
  }
  const closing = statement.closed_at === null ? null : statement.ending_balance_in_cents;
  if (last !== null && balance !== null && closing !== null && balance !== closing)
    breaks.push({ where: 'closing', transaction: last, expected: balance, actual: closing });
  return breaks;
}

/**
 * Returns the transactions in the order in which they changed the balance. The interface guarantees no order, and
 * times may be equal. Of four orders (by time, as sent, reversed, by id), the one with the fewest running-balance
 * breaks is used.
 */
function sortByRunningBalance(statement: StatementRecord): readonly TransactionRecord[] {
  const sent = statement.transactions;
  if (sent.length < 2) return sent;
  const timed = isSorted(sent, compareTimes) ? sent : sent.toSorted(compareTimes);
  let best = timed;
  let fewest = countBalanceBreaks(statement, timed);
  if (fewest === 0) return timed;
  for (const other of [sent, sent.toReversed(), sent.toSorted((a, b) => a.id - b.id)]) {
    const breaks = countBalanceBreaks(statement, other);
    if (breaks < fewest) [best, fewest] = [other, breaks];
  }
  return best;
}

function compareTimes(a: TransactionRecord, b: TransactionRecord): number {
  if (a.created_at === null || b.created_at === null || a.created_at === b.created_at) return a.id - b.id;
  return a.created_at - b.created_at;
}

function isSorted<T>(items: readonly T[], compare: (a: T, b: T) => number): boolean {
  for (let at = 1; at < items.length; at++) if (compare(items[at - 1] as T, items[at] as T) > 0) return false;
  return true;
}

function countBalanceBreaks(statement: StatementRecord, transactions: readonly TransactionRecord[]): number {
  let breaks = 0;
  let balance = statement.starting_balance_in_cents;
  for (const { starting_balance_in_cents: starting, ending_balance_in_cents: ending } of transactions) {
    if (starting !== null && balance !== null && starting !== balance) breaks++;
    balance = ending;
  }
  const closing = statement.closed_at === null ? null : statement.ending_balance_in_cents;
  return closing !== null && balance !== null && balance !== closing ? breaks + 1 : breaks;
}
