import type { BankLineTable } from '../indexes/bank-lines.ts';
import type { PaymentTable } from '../indexes/payments.ts';
import type { MatchAccount } from '../model/match-types.ts';

/** Rows of a matching run from which the proof learns and with which it compares. */
export interface MatchTables {
  readonly lines: BankLineTable;
  readonly payments: PaymentTable;
  readonly accounts: readonly MatchAccount[];
}
