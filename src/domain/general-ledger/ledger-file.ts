import type { ImportQuestion } from '../bankfiles/index.ts';
import type { CalendarDate, Cents } from '../ledger/index.ts';
import type { LedgerColumnRole } from './ledger-columns.ts';

/** One posting on a ledger account. */
export interface LedgerFileLine {
  /** Row number in the file. The first row below the header is 1. */
  readonly row: number;
  readonly location: string;
  /** Number of the account, or its name if it has no number. */
  readonly account: string;
  readonly account_name: string | null;
  readonly dated_on: CalendarDate;
  /** Amount in cents, with the sign that the file's sign rule defines. */
  readonly amount_in_cents: Cents;
  readonly currency: string | null;
  readonly entry: string | null;
  readonly reference: string | null;
  readonly description: string;
}

/** The balance of one ledger account in a trial balance. Amounts are in cents by the sign rule of the file. */
export interface LedgerFileBalance
  extends Pick<LedgerFileLine, 'row' | 'location' | 'account' | 'account_name' | 'currency'> {
  readonly opening_in_cents: Cents | null;
  readonly movement_in_cents: Cents | null;
  readonly closing_in_cents: Cents | null;
}

/**
 * Sign of the amounts: `debit` (debits are positive), `credit` (credits are positive) or `natural` (increases of the
 * account are positive, as in QuickBooks reports).
 */
export const ledgerSignRules = ['debit', 'credit', 'natural'] as const;
export type LedgerSignRule = (typeof ledgerSignRules)[number];

/** A row that could not be read, or a remark about a row or the file. */
export interface LedgerFileProblem {
  readonly effect: 'refused' | 'failed' | 'skipped' | 'doubtful';
  readonly row: number | null;
  readonly location: string;
  readonly reason: string;
}

export interface LedgerFileSink {
  onLine(line: LedgerFileLine): void;
  onBalance(balance: LedgerFileBalance): void;
  onProblem(problem: LedgerFileProblem): void;
}

export interface LedgerFileOptions {
  /** Answers to the questions of an earlier reading, by question key. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Today's date, used to choose between two possible readings of a date. */
  readonly today?: CalendarDate;
  /** Currency of amounts for which the file states none. */
  readonly currency: string;
}

/** Result of reading a ledger file. The rows themselves were passed to the sink. */
export interface LedgerFile {
  /** `activity`: dated postings. `balances`: a trial balance. Null if the file was refused. */
  readonly kind: 'activity' | 'balances' | null;
  readonly dialect: string;
  readonly columns: readonly { readonly name: string; readonly role: LedgerColumnRole | 'not_used' }[];
  readonly sign: LedgerSignRule;
  /** Date of the trial balance as stated in the file; null if not stated. */
  readonly as_on: CalendarDate | null;
  readonly questions: readonly ImportQuestion[];
}
