import type { LineKind } from './line-kind.ts';

/** Fields that a column of a table can contain. */
/** Name of the profile of a table whose columns were detected. No saved or built-in profile has it. */
export const DETECTED_PROFILE_NAME = 'detected';

export const profileFields = [
  'booked_on',
  'value_on',
  'amount',
  'credit',
  'debit',
  'direction',
  'fee',
  'net',
  'net_credit',
  'net_debit',
  'currency',
  'gross_currency',
  'description',
  'reference',
  'counterparty',
  'bank_id',
  'payout_id',
  'paid_on',
  'gateway_transaction_id',
  'kind',
  'status',
  'balance',
  'account',
  'foreign_amount',
  'foreign_currency',
  'rate',
] as const;
export type ProfileField = (typeof profileFields)[number];

export const dateOrders = ['ymd', 'dmy', 'mdy', 'ydm'] as const;
export type DateOrder = (typeof dateOrders)[number];

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

export const decimalMarks = ['.', ','] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/**
 * Describes how a table is read: built in for common processors, or saved by the user for their bank. What a profile
 * leaves open is detected, or asked if two readings are possible.
 */
export interface BankFileProfile {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** Name for people. */
  readonly label: string;
  /** For processors, amounts are gross with fee and net, and lines belong to payouts. */
  readonly source: 'bank' | 'processor';
  /** Headers that identify the profile. All must be present. Empty: only used if named. */
  readonly recognized_by: readonly string[];
  /**
   * Headers of each field, compared without case, spaces and punctuation. Of several, the first with a value counts; fees
   * are added up, and every status is checked. `gross_currency` is the currency of amount, credit and debit if fee and
   * net have another one.
   */
  readonly columns: Readonly<Partial<Record<ProfileField, readonly string[]>>>;
  /** Columns by number (the first is 1), for tables without a header. */
  readonly positions?: Readonly<Partial<Record<ProfileField, number>>>;
  /** Line of the header (the first is 1). 0: no header. If absent, it is detected. */
  readonly header_line?: number;
  readonly delimiter?: Delimiter;
  /** A name of the Encoding standard: `utf-8`, `windows-1252`, `utf-16le`. */
  readonly encoding?: string;
  readonly date_order?: DateOrder;
  readonly decimal_mark?: DecimalMark;
  /** Currency of every line without a currency column. */
  readonly currency?: string;
  /** Name or number of the sheet (the first is 1). */
  readonly sheet?: string;
  /** True if the file writes money received as negative. */
  readonly turned?: boolean;
  /** `minor`: amounts are whole minor units (1999 for 19.99). Default `decimal`. */
  readonly unit?: 'decimal' | 'minor';
  /** Sign of a fee that is a cost: `positive` (Stripe, Adyen) or `negative` (PayPal). Default `positive`. */
  readonly fee_sign?: 'positive' | 'negative';
  /** Lower-case texts of the kind column and their meaning. One that ends in `*` is a prefix. */
  readonly kinds?: Readonly<Record<string, LineKind>>;
  /** Kind of lines whose text is not in `kinds`. Default `entry` for banks, `adjustment` for processors. */
  readonly default_kind?: LineKind;
  /** Kinds of outgoing lines whose amounts the file writes without a sign. */
  readonly outgoing?: readonly LineKind[];
  /**
   * Lower-case texts of the status column for rows that moved no money (pending, declined). They are skipped with this as
   * the reason.
   */
  readonly idle_statuses?: readonly string[];
  /** Lower-case texts of the direction column that mean outgoing money. */
  readonly outgoing_directions?: readonly string[];
}
