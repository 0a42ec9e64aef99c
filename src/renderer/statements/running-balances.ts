import type { StatementDetail, TransactionRow } from '../../contract/index.ts';
import { findBalanceEffect } from '../../domain/ledger/index.ts';

export interface RunningBalance {
  /** Balance in cents, or null if it is unknown from this transaction on. */
  readonly cents: number | null;
  /** True if the service sent the balance, false if it was calculated from the previous transaction. */
  readonly sent: boolean;
}

/** Returns the balance in cents after each transaction, by transaction id. Sorting does not change the balances. */
export function calculateRunningBalances(
  statement: Pick<StatementDetail, 'starting_balance_in_cents' | 'transactions'>,
): ReadonlyMap<number, RunningBalance> {
  const balances = new Map<number, RunningBalance>();
  let before: number | null = statement.starting_balance_in_cents;
  for (const transaction of statement.transactions) {
    const sent = transaction.ending_balance_in_cents;
    const cents: number | null = sent ?? carryBalance(before, transaction);
    balances.set(transaction.id, { cents, sent: sent !== null });
    before = cents;
  }
  return balances;
}

function carryBalance(before: number | null, transaction: TransactionRow): number | null {
  const effect = findBalanceEffect(transaction);
  return before === null || effect === null ? null : before + effect;
}
