import type { StatementDetail, TransactionRow } from '../../contract/index.ts';
import { balanceEffect } from '../../domain/ledger/index.ts';

/** A balance after a transaction. */
export interface BalanceAfter {
  /** Null from where on it cannot be told. */
  readonly cents: number | null;
  /** Whether the service sent it; else it is carried on from the line before. */
  readonly sent: boolean;
}

/** The balance after each transaction, by its id and in the order of the statement, however its lines are sorted. In cents. */
export function balancesAfter(
  statement: Pick<StatementDetail, 'starting_balance_in_cents' | 'transactions'>,
): ReadonlyMap<number, BalanceAfter> {
  const balances = new Map<number, BalanceAfter>();
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
  const effect = balanceEffect(transaction);
  return before === null || effect === null ? null : before + effect;
}
