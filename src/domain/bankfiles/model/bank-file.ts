import type { CalendarDate, Cents } from '../../ledger/index.ts';
import type { BankLineKind } from './line-kind.ts';
import type { BankFileProfile, BankProfileField } from './profile.ts';

/** File formats that can be imported. They are detected from the bytes, never from a file's name. */
export type FileFormat = 'csv' | 'xlsx' | 'ofx' | 'camt' | 'mt940' | 'qif';

/** Receives the contents of a bank file in order. The problem of a row may come before or after the row's line. */
export type BankFileSink = { onLine(line: BankLine): void; onProblem(problem: FileProblem): void };

/** Result of reading a bank file. Its lines and problems have already been passed to the caller. */
export interface BankFile {
  /** Detected format; null if the file's format is not supported. */
  readonly format: FileFormat | null;
  /** Format version and variant for display, for example `camt.053.001.08` or `CSV, semicolon, UTF-8`. */
  readonly dialect: string;
  /** For CSV and XLSX: the profile that was used, completed with the detected settings and ready to be saved. */
  readonly profile: BankFileProfile | null;
  /** For CSV and XLSX: the columns in file order, with the field that each one is read as. */
  readonly columns: readonly ImportColumn[];
  readonly statements: readonly BankStatement[];
  /** Payouts of a payout report, in order of first occurrence. */
  readonly payouts: readonly ReportedPayout[];
  /** Questions about ambiguous settings. The lines must not be imported until every question is answered. */
  readonly questions: readonly ImportQuestion[];
  /** Number of rows. Each one is either a line or the subject of a `failed` or `skipped` problem. */
  readonly rows: number;
  /** Number of rows that became bank lines. */
  readonly lines: number;
}

/** A column of a table and the field that it is read as. Unused columns are stored as extra text of the line. */
export interface ImportColumn {
  readonly name: string;
  readonly role: BankProfileField | 'not_used';
}

/** An end-of-day balance stated in a bank file. */
export type StatedBalance = { readonly amount_in_cents: Cents; readonly date: CalendarDate | null };

/** One account's date range in a bank file. Files without statements (CSV, most QIF) have one such range. */
export interface BankStatement {
  /** Account (IBAN or number) named in the file; null if there is none. */
  readonly account: string | null;
  /** Bank (BIC or routing number) named in the file; null if there is none. */
  readonly bank: string | null;
  readonly number: string | null;
  readonly currency: string | null;
  readonly opening: StatedBalance | null;
  readonly closing: StatedBalance | null;
  /** First and last day of the statement: the range stated in the file or the booking dates of its lines. */
  readonly from: CalendarDate | null;
  readonly to: CalendarDate | null;
  readonly location: string;
  readonly lines: number;
  /** Sum of the statement's lines, net of fees, in cents. */
  readonly lines_in_cents: Cents;
  readonly currencies: readonly (string | null)[];
}

export interface BankLine {
  /** Row number in the file. In tables, the first data row is 1 and blank rows are not counted. */
  readonly row: number;
  /** Location of the line in the file, for example `line 120` or `Sheet1!A7`. */
  readonly location: string;
  readonly statement: number;
  readonly booked_on: CalendarDate;
  readonly value_on: CalendarDate | null;
  /** Amount in minor units of its currency, positive for money received. In a payout report, the gross amount. */
  readonly amount_in_cents: Cents;
  /** Currency code in upper case; null if neither the file, the profile nor the caller names one. */
  readonly currency: string | null;
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  /** The bank's own id of the line, unchanged (FITID, AcctSvcrRef, bank reference in :61:). Banks reuse ids. */
  readonly bank_id: string | null;
  /** Id of the processor's payout that contains the line. */
  readonly payout_id: string | null;
  /** The payment gateway's transaction id, which the billing service may also know. */
  readonly gateway_transaction_id: string | null;
  readonly kind: BankLineKind;
  /** The processor's fee in a payout report, positive for a cost and negative for a refund; null in other files. */
  readonly fee_in_cents: Cents | null;
  /** Amount minus fee in a payout report, which is the effect on the processor's balance; null in other files. */
  readonly net_in_cents: Cents | null;
  readonly foreign: ForeignAmount | null;
  /** Balance of the account after the line, if the file states it. */
  readonly balance_in_cents: Cents | null;
  /** All other fields, by their names in the file. They are never used for matching. */
  readonly extra: Readonly<Record<string, string>>;
}

export interface ForeignAmount {
  readonly amount_in_cents: Cents;
  readonly currency: string;
  readonly rate: string | null;
}

/** A processor's payout from gross amount to the amount paid out. */
export interface ReportedPayout {
  readonly payout_id: string;
  readonly currency: string | null;
  /** Date on which the processor sent the payout, if the report states it. */
  readonly paid_on: CalendarDate | null;
  readonly last_on: CalendarDate;
  /** Amount paid out as stated in the report; null if the report only lists the lines. */
  readonly stated_in_cents: Cents | null;
  readonly gross_in_cents: Cents;
  readonly fee_in_cents: Cents;
  /** Sum of the net amounts of the payout's lines, without the payout itself. */
  readonly net_in_cents: Cents;
  /** Number of the payout's lines, without the payout itself. */
  readonly lines: number;
}

/**
 * Effect of a problem on the import: `refused` (the file or the remainder of it was not read), `failed` (a row that
 * should be a line could not be read), `skipped` (a row is not a line of this account and was left out on purpose),
 * `doubtful` (a line was read but needs attention) or `balance` (figures of the file do not agree).
 */
export type FileProblemEffect = 'refused' | 'failed' | 'skipped' | 'doubtful' | 'balance';

export interface FileProblem {
  readonly effect: FileProblemEffect;
  /** Number of the row with the problem; null if it concerns the file or a statement. */
  readonly row: number | null;
  /** Location of the problem, for example `line 7`, `Sheet1!A7` or `the file`. */
  readonly location: string;
  readonly reason: string;
  /** Text at the location of the problem, at most 500 characters. */
  readonly raw: string;
}

/** A question about a setting that the file does not determine. `options.answers` contains answers by `key`. */
export interface ImportQuestion {
  readonly key: string;
  readonly text: string;
  /** Possible answers. The lines were read with the first one. */
  readonly readings: readonly ImportAnswerOption[];
}

export interface ImportAnswerOption {
  readonly value: string;
  readonly label: string;
  /** Examples from the file, with their meaning if this answer is chosen. */
  readonly examples: readonly { readonly location: string; readonly raw: string; readonly meaning: string }[];
}

export interface BankFileOptions {
  /** Profile of a table, by name or as an object. By default, the profile is detected from the headers. */
  readonly profile?: string | BankFileProfile;
  /** Saved profiles, which are tried before the built-in ones. */
  readonly profiles?: readonly BankFileProfile[];
  readonly answers?: Readonly<Record<string, string>>;
  readonly currency?: string;
  /** Today's date, used for two-digit years and to detect future dates. By default, no date is in the future. */
  readonly today?: CalendarDate;
}

/** Result of a format reader, apart from lines and problems. */
export interface FormatReadResult {
  /** Format version and encoding for display, for example `OFX 1.0.2 (SGML), Windows-1252`. */
  readonly dialect: string;
  readonly profile?: BankFileProfile | null;
  readonly questions?: readonly ImportQuestion[];
  readonly columns?: readonly ImportColumn[];
  /** Dates on which payouts were sent, by payout id. */
  readonly paidOn?: ReadonlyMap<string, CalendarDate>;
}
