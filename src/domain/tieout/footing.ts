import { balanceEffect, type Cents, exactCents, runningMovement } from '../ledger/index.ts';
import type { StatementRecord, TransactionRecord } from './record.ts';

/** A statement added up. */
export interface Footing {
  readonly statement: StatementRecord;
  /** In the order in which they moved the balance. */
  readonly transactions: readonly TransactionRecord[];
  /** Effect of each of them on the balance; null where it is not known. */
  readonly effects: readonly (Cents | null)[];
  /** Sum of the effects; null where one is not known, or the sum is too large to be exact. */
  readonly sum: Cents | null;
  /** What it should close at: opening balance and sum. */
  readonly computed: Cents | null;
  /** Closing balance as stated, less what was computed; null while open, and where a figure is missing. */
  readonly difference: Cents | null;
}

/** Adds up a statement. */
export function footingOf(statement: StatementRecord): Footing {
  const transactions = inRunningOrder(statement);
  const effects = transactions.map(balanceEffect);
  const { starting_balance_in_cents: starting, ending_balance_in_cents: ending } = statement;
  const sum = sumOf(effects);
  const computed = sum === null || starting === null ? null : exactCents(starting + sum);
  const closed = statement.closed_at !== null && ending !== null;
  const difference = closed && computed !== null ? exactCents(ending - computed) : null;
  return { statement, transactions, effects, sum, computed, difference };
}

/** The exact sum of effects; null where one is not known, or the sum cannot be held exactly. */
export function sumOf(effects: readonly (Cents | null)[]): Cents | null {
  let sum: Cents | null = 0;
  for (const effect of effects) sum = sum === null || effect === null ? null : exactCents(sum + effect);
  return sum;
}

/** Balance after the transaction at `place`, by effects alone; null where one up to there is not known. */
export function balanceAfter(footing: Footing, place: number): Cents | null {
  let balance = footing.statement.starting_balance_in_cents;
  for (let at = 0; at <= place && balance !== null; at++) {
    const effect = footing.effects[at] as Cents | null;
    balance = effect === null ? null : exactCents(balance + effect);
  }
  return balance;
}

/** A place where the service’s running balances do not run on. */
export interface Break {
  readonly where: 'opening' | 'movement' | 'link' | 'closing';
  /** The transaction that shows it; for `link` the later one. */
  readonly transaction: TransactionRecord;
  readonly expected: Cents;
  readonly actual: Cents;
}

/**
 * Every place where running balances break: the first transaction does not start from the opening balance, one does not move
 * by its effect, one does not start where the last ended, the last does not end at the closing balance. `skip` leaves
 * transactions out, as if they were not there.
 */
export function runningBreaks(footing: Footing, skip?: ReadonlySet<TransactionRecord>): Break[] {
  const { statement, transactions, effects } = footing;
  const breaks: Break[] = [];
  let balance = statement.starting_balance_in_cents;
  let last: TransactionRecord | null = null;
  for (const [place, transaction] of transactions.entries()) {
    if (skip?.has(transaction)) continue;
    const { starting_balance_in_cents: starting, ending_balance_in_cents: ending } = transaction;
    if (starting !== null && balance !== null && starting !== balance) {
      const where = last === null ? 'opening' : 'link';
      breaks.push({ where, transaction, expected: balance, actual: starting });
    }
    const moved = runningMovement(transaction);
    const effect = effects[place] as Cents | null;
    if (moved !== null && effect !== null && moved !== effect) {
      breaks.push({ where: 'movement', transaction, expected: effect, actual: moved });
    }
    balance = ending;
    last = transaction;
  }
  const closing = statement.closed_at === null ? null : statement.ending_balance_in_cents;
  if (last !== null && balance !== null && closing !== null && balance !== closing) {
    breaks.push({ where: 'closing', transaction: last, expected: balance, actual: closing });
  }
  return breaks;
}

/**
 * A statement’s transactions in the order in which they moved the balance. The interface promises no order and several share a
 * second, so it is the one of four in which the running balances run on best: by time, as sent, as sent backwards, by id.
 */
function inRunningOrder(statement: StatementRecord): readonly TransactionRecord[] {
  const sent = statement.transactions;
  if (sent.length < 2) return sent;
  const timed = isSorted(sent, byTime) ? sent : sent.toSorted(byTime);
  let best = timed;
  let fewest = linkBreaks(statement, timed);
  if (fewest === 0) return timed;
  for (const other of [sent, sent.toReversed(), sent.toSorted((a, b) => a.id - b.id)]) {
    const breaks = linkBreaks(statement, other);
    if (breaks < fewest) [best, fewest] = [other, breaks];
  }
  return best;
}

function byTime(a: TransactionRecord, b: TransactionRecord): number {
  if (a.created_at === null || b.created_at === null || a.created_at === b.created_at) return a.id - b.id;
  return a.created_at - b.created_at;
}

function isSorted<T>(items: readonly T[], compare: (a: T, b: T) => number): boolean {
  for (let at = 1; at < items.length; at++) {
    if (compare(items[at - 1] as T, items[at] as T) > 0) return false;
  }
  return true;
}

function linkBreaks(statement: StatementRecord, transactions: readonly TransactionRecord[]): number {
  let breaks = 0;
  let balance = statement.starting_balance_in_cents;
  for (const { starting_balance_in_cents: starting, ending_balance_in_cents: ending } of transactions) {
    if (starting !== null && balance !== null && starting !== balance) breaks++;
    balance = ending;
  }
  const closing = statement.closed_at === null ? null : statement.ending_balance_in_cents;
  return closing !== null && balance !== null && balance !== closing ? breaks + 1 : breaks;
}
