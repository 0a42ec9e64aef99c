import type { CalendarDate, Cents } from '../../ledger/index.ts';
import type { LineKind } from './line-kind.ts';
import type { BankFileProfile } from './profile.ts';

/** Formats, detected from the bytes, never from a file's name. */
export type FileFormat = 'csv' | 'xlsx' | 'ofx' | 'camt' | 'mt940' | 'qif';

/** Receives the contents of a file in order. A row's problem comes before or after its line. */
export interface BankFileSink {
  onLine(line: BankLine): void;
  onProblem(problem: FileProblem): void;
}

/** A bank's or processor's file as a whole. Its lines and problems were passed to the caller. */
export interface BankFile {
  /** Null if the bytes are in no supported format. */
  readonly format: FileFormat | null;
  /** Version and variant for people: `OFX 1.0.2 (SGML), Windows-1252`, `camt.053.001.08`, `CSV, semicolon, UTF-8`. */
  readonly dialect: string;
  /** For CSV and XLSX: the profile used, completed with everything detected, ready to be saved. */
  readonly profile: BankFileProfile | null;
  readonly statements: readonly BankStatement[];
  /** Payouts of a payout report in order of first occurrence. */
  readonly payouts: readonly ReportedPayout[];
  /**
   * If not empty, two readings are possible. The lines follow the first one and must not be imported before it is
   * answered.
   */
  readonly questions: readonly ImportQuestion[];
  /** Number of rows. Each is a line, or a problem with effect `failed` or `skipped` that names the row. */
  readonly rows: number;
  /** Number of rows that are lines. */
  readonly lines: number;
}

/** A balance stated in the file, at the end of the day. */
export interface StatedBalance {
  readonly amount_in_cents: Cents;
  readonly date: CalendarDate | null;
}

/** One account's date range in a file. Files without statements (CSV, most QIF) have a single one. */
export interface BankStatement {
  /** Account named in the file (IBAN or number), or null. */
  readonly account: string | null;
  /** Bank named in the file (BIC or routing number). */
  readonly bank: string | null;
  /** The statement's own number or id. */
  readonly number: string | null;
  readonly currency: string | null;
  readonly opening: StatedBalance | null;
  readonly closing: StatedBalance | null;
  /** First and last booking date of its lines, or the range stated in the file. */
  readonly from: CalendarDate | null;
  readonly to: CalendarDate | null;
  readonly location: string;
  readonly lines: number;
  /** Effect of its lines on the balance, net of fees. */
  readonly lines_in_cents: Cents;
  /** Currencies of its lines. */
  readonly currencies: readonly (string | null)[];
}

export interface BankLine {
  /**
   * Number of the row in its file. In tables the first data row is 1; skipped and failed rows count, blank ones do not.
   * In other formats the number of the entry, or of the detail if a batch has details.
   */
  readonly row: number;
  /** Location: `line 7`, `Sheet1!A7`, `line 120`. */
  readonly location: string;
  /** Index of its statement in the file. */
  readonly statement: number;
  readonly booked_on: CalendarDate;
  readonly value_on: CalendarDate | null;
  /**
   * Minor units of its currency (ISO 4217: cents, whole yen, thousandths of a dinar; see `decimalsOf`), positive for
   * money received. In a payout report the gross: what the customer paid or got back.
   */
  readonly amount_in_cents: Cents;
  /** Upper case. Null if neither file, profile nor caller names one. */
  readonly currency: string | null;
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  /**
   * The bank's own id of the line, unchanged (FITID, AcctSvcrRef, bank reference in :61:, balance transaction). Banks
   * reuse ids.
   */
  readonly bank_id: string | null;
  /** The processor's payout that contains the line. */
  readonly payout_id: string | null;
  /** The payment gateway's transaction id, which the billing service may also know. */
  readonly gateway_transaction_id: string | null;
  readonly kind: LineKind;
  /**
   * Payout reports: the processor's fee in the same currency (a cost is positive, a refunded fee negative). Else null.
   */
  readonly fee_in_cents: Cents | null;
  /** Payout reports: amount minus fee, the effect on the processor's balance. Else null. */
  readonly net_in_cents: Cents | null;
  /** The amount in the original currency, if the file has it. */
  readonly foreign: ForeignAmount | null;
  /** The account's balance after the line, if the file states it. */
  readonly balance_in_cents: Cents | null;
  /** All other fields by the file's own names. Never used for matching. */
  readonly extra: Readonly<Record<string, string>>;
}

export interface ForeignAmount {
  readonly amount_in_cents: Cents;
  readonly currency: string;
  /** The exchange rate as written in the file. */
  readonly rate: string | null;
}

/** A processor's payout, from gross to the amount paid out. */
export interface ReportedPayout {
  readonly payout_id: string;
  readonly currency: string | null;
  /** The day on which the processor sent it, if the report says so. */
  readonly paid_on: CalendarDate | null;
  /** The last booking date of its lines. */
  readonly last_on: CalendarDate;
  /** Amount paid out as stated in the report. Null if only its lines are listed. */
  readonly stated_in_cents: Cents | null;
  readonly gross_in_cents: Cents;
  readonly fee_in_cents: Cents;
  /** Sum of the net amounts of its lines, without the payout itself. */
  readonly net_in_cents: Cents;
  /** Number of its lines, without the payout itself. */
  readonly lines: number;
}

/**
 * - `refused`: the file, or its remainder, was not read.
 * - `failed`: a row that should be a line and could not be read.
 * - `skipped`: a row that is no line of this account (a total, a pending entry, a repeated header), left out on purpose.
 * - `doubtful`: a line that was read but needs attention.
 * - `balance`: figures of the file that do not agree.
 */
export type FileProblemEffect = 'refused' | 'failed' | 'skipped' | 'doubtful' | 'balance';

export interface FileProblem {
  readonly effect: FileProblemEffect;
  /** The row concerned. Null for the file or a statement. */
  readonly row: number | null;
  /** Location: `line 7`, `Sheet1!A7`, `the file`. */
  readonly location: string;
  /** One sentence. */
  readonly reason: string;
  /** The text at that location, at most 500 characters. */
  readonly raw: string;
}

/** A setting that the file does not determine. Its key goes into `options.answers` with one of the values. */
export interface ImportQuestion {
  readonly key: string;
  readonly text: string;
  /** Possible readings. The lines were read with the first one. */
  readonly readings: readonly ImportAnswerOption[];
}

export interface ImportAnswerOption {
  readonly value: string;
  readonly label: string;
  /** Texts of the file with their meaning in this reading. */
  readonly examples: readonly { readonly location: string; readonly raw: string; readonly meaning: string }[];
}

export interface BankFileOptions {
  /**
   * Profile for a table: its name, or the profile itself. By default, the one whose columns the table has, else
   * detection.
   */
  readonly profile?: string | BankFileProfile;
  /** Saved profiles, tried before the built-in ones. */
  readonly profiles?: readonly BankFileProfile[];
  /** Answers to questions, by key. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Currency of lines for which the file names none. */
  readonly currency?: string;
  /** Today, for two-digit years and future dates. By default, no date is too late. */
  readonly today?: CalendarDate;
}

/** What the reader of a format returns besides lines and problems. */
export interface FormatResult {
  /** Version and encoding for people: `OFX 1.0.2 (SGML), Windows-1252`. */
  readonly dialect: string;
  readonly profile?: BankFileProfile | null;
  readonly questions?: readonly ImportQuestion[];
  /** Days on which payouts were sent, by payout id. */
  readonly paidOn?: ReadonlyMap<string, CalendarDate>;
}
