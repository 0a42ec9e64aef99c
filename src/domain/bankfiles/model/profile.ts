import type { BankLineKind } from './line-kind.ts';

/** Profile name of a table whose columns were detected. No saved or built-in profile may use it. */
export const DETECTED_PROFILE_NAME = 'detected';

/** Profile fields for amounts, including their direction, fee and net amount. */
export const profileAmountFields = [
  'amount',
  'credit',
  'debit',
  'direction',
  'fee',
  'net',
  'net_credit',
  'net_debit',
] as const;
export const bankProfileFields = [
  ...(['booked_on', 'value_on', ...profileAmountFields, 'currency', 'gross_currency'] as const),
  ...(['description', 'reference', 'counterparty', 'bank_id', 'payout_id', 'paid_on'] as const),
  ...(['gateway_transaction_id', 'kind', 'status', 'balance', 'account'] as const),
  ...(['foreign_amount', 'foreign_currency', 'rate'] as const),
] as const;
export type BankProfileField = (typeof bankProfileFields)[number];

export const dateOrders = ['ymd', 'dmy', 'mdy', 'ydm'] as const;
export type DateOrder = (typeof dateOrders)[number];

export const csvDelimiters = [',', ';', '\t', '|'] as const;
export type CsvDelimiter = (typeof csvDelimiters)[number];

export const decimalMarks = ['.', ','] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/**
 * Sign of the amounts: `signed` (as written), `unsigned` (by the debit, credit or direction column), `reversal` (as
 * `unsigned`, but a negative amount reverses the direction) or `inverted` (the opposite of what is written).
 */
export const signRules = ['signed', 'unsigned', 'reversal', 'inverted'] as const;
export type SignRule = (typeof signRules)[number];

/** Fee rule of a bank's amounts: `included` in the amount, or `separate`, so that the fee also changes the balance. */
export const feeRules = ['included', 'separate'] as const;
export type FeeRule = (typeof feeRules)[number];

/** Describes how a table is read. Omitted settings are detected. If they are ambiguous, the user is asked. */
export interface BankFileProfile {
  /** Profile name: lower-case letters, digits and dashes. */
  readonly name: string;
  readonly label: string;
  /** Type of account. For processors, amounts are gross with fee and net, and lines belong to payouts. */
  readonly source: 'bank' | 'processor';
  /** Headers that must all be present to detect the profile. If the list is empty, the profile is used only by name. */
  readonly recognized_by: readonly string[];
  /**
   * Headers of each field, compared without case, spaces and punctuation. If a field has several columns, the first
   * column with a value is used, but fees are added up and every status is checked. `gross_currency` is the currency of
   * amount, credit and debit if fee and net have another currency.
   */
  readonly columns: Readonly<Partial<Record<BankProfileField, readonly string[]>>>;
  /** Column numbers by field for tables without a header. The first column is 1. */
  readonly positions?: Readonly<Partial<Record<BankProfileField, number>>>;
  /** Line number of the header. The first line is 1, and 0 means no header. If absent, the header is detected. */
  readonly header_line?: number;
  readonly delimiter?: CsvDelimiter;
  /** Encoding name from the Encoding standard, for example `utf-8`, `windows-1252` or `utf-16le`. */
  readonly encoding?: string;
  readonly date_order?: DateOrder;
  readonly decimal_mark?: DecimalMark;
  readonly currency?: string;
  /** Name or number of the sheet. The first sheet is 1. */
  readonly sheet?: string;
  /** True if amounts as read have the opposite sign: received money is negative in the file. */
  readonly negated?: boolean;
  /** Unit of the amounts. `minor` means whole minor units (1999 for 19.99). The default is `decimal`. */
  readonly unit?: 'decimal' | 'minor';
  /** Sign of a fee that is a cost: `positive` (Stripe, Adyen) or `negative` (PayPal). The default is `positive`. */
  readonly fee_sign?: 'positive' | 'negative';
  /** Sign of a bank's amounts. By default, it is derived from the columns and the balances. */
  readonly signs?: SignRule;
  /** Fees of a bank's amounts. By default, they are derived from the balances. */
  readonly fees?: FeeRule;
  /** Line kinds by the lower-case text of the kind column. A text that ends in `*` is a prefix. */
  readonly kinds?: Readonly<Record<string, BankLineKind>>;
  /** Line kind for texts that are not in `kinds`. The default is `entry` for banks and `adjustment` for processors. */
  readonly default_kind?: BankLineKind;
  /** Kinds of outgoing lines whose amounts have no sign in the file. */
  readonly outgoing?: readonly BankLineKind[];
  /** Lower-case status texts of rows that moved no money (pending, declined). Such rows are skipped. */
  readonly idle_statuses?: readonly string[];
  /** Lower-case texts of the direction column that mean outgoing money. */
  readonly outgoing_directions?: readonly string[];
}
