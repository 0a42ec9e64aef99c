import type { LineKind } from './line-kind.ts';

/** What a column of a table can hold. */
/** The name of the profile of a table whose columns were found out; no saved or built-in one has it. */
export const DETECTED = 'detected';

export const fields = [
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
export type Field = (typeof fields)[number];

export const dateOrders = ['ymd', 'dmy', 'mdy', 'ydm'] as const;
export type DateOrder = (typeof dateOrders)[number];

export const decimalMarks = ['.', ','] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/**
 * How a table is read, as data: built in for the common processors, saved by the user for his bank. What a profile leaves
 * open is detected, and asked about where two readings fit.
 */
export interface Profile {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** Processors: amounts are gross, with fee and net; lines belong to payouts. */
  readonly source: 'bank' | 'processor';
  /** Headers by which it is recognised: all must be there. Empty: only when named. */
  readonly recognised_by: readonly string[];
  /**
   * Headers that hold each field, compared without case, spaces and signs. Of several the first with a value counts; fees are added up,
   * and every status is looked at. `gross_currency` is that of amount, credit and debit, where fee and net have another one.
   */
  readonly columns: Readonly<Partial<Record<Field, readonly string[]>>>;
  /** Columns by number (the first is 1), for tables without a header. */
  readonly positions?: Readonly<Partial<Record<Field, number>>>;
  /** Line of the header (the first is 1); 0: there is none. Absent: looked for. */
  readonly header_line?: number;
  readonly delimiter?: ',' | ';' | '\t' | '|';
  /** A name of the Encoding standard: `utf-8`, `windows-1252`, `utf-16le`. */
  readonly encoding?: string;
  readonly date_order?: DateOrder;
  readonly decimal_mark?: DecimalMark;
  /** Currency of every line, where no column says. */
  readonly currency?: string;
  /** Name or number of the sheet (the first is 1). */
  readonly sheet?: string;
  /** True where the file counts money received as negative. */
  readonly turned?: boolean;
  /** `minor`: amounts are whole minor units (1999 for 19.99). Default `decimal`. */
  readonly unit?: 'decimal' | 'minor';
  /** How the fee's sign is meant: a cost is `positive` (Stripe, Adyen) or `negative` (PayPal). Default `positive`. */
  readonly fee_sign?: 'positive' | 'negative';
  /** Texts of the kind column, lower case, and what they mean; one that ends in `*` stands for all that begin so. */
  readonly kinds?: Readonly<Record<string, LineKind>>;
  /** Kind of lines whose text is not in `kinds`. Default `entry` for banks, `adjustment` for processors. */
  readonly kind_otherwise?: LineKind;
  /** Kinds whose amounts the file writes without a sign although money goes out. */
  readonly outgoing?: readonly LineKind[];
  /** Texts of the status column, lower case, of rows that moved no money (pending, declined): they are skipped with this as the reason. */
  readonly idle_statuses?: readonly string[];
  /** Texts of the direction column, lower case, that mean money going out. */
  readonly outgoing_directions?: readonly string[];
}
