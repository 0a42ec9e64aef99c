import type { CalendarDate, Cents } from '../ledger/index.ts';
import type { LineKind } from './line-kind.ts';
import type { Profile } from './profile.ts';

/** The formats told apart by the bytes themselves, never by a file's name. */
export type FileFormat = 'csv' | 'xlsx' | 'ofx' | 'camt' | 'mt940' | 'qif';

/** Takes what is found in a file, one after the other in the order of the file; a problem of a row comes before or after its line. */
export interface Findings {
  line(line: BankLine): void;
  problem(problem: FileProblem): void;
}

/** What a file of a bank or a processor says as a whole; its lines and problems went to whoever had it read. */
export interface BankFile {
  /** Null where the bytes are of no format that is read. */
  readonly format: FileFormat | null;
  /** Version and manner, for people: `OFX 1.0.2 (SGML), Windows-1252`, `camt.053.001.08`, `CSV, semicolon, UTF-8`. */
  readonly dialect: string;
  /** For CSV and XLSX the profile by which it was read, with everything that was detected filled in: to be saved as it is. */
  readonly profile: Profile | null;
  readonly statements: readonly BankStatement[];
  /** The batches of a payout report, in the order in which they occur first. */
  readonly payouts: readonly Payout[];
  /** Not empty: two readings fit. The lines are read by the first one and must not be imported before it is answered. */
  readonly questions: readonly Question[];
  /** Rows found. Each is a line, or a problem of effect `failed` or `skipped` that names the row: none is lost. */
  readonly rows: number;
  /** How many of them are lines. */
  readonly lines: number;
}

/** A balance the file states, at the end of the day. */
export interface Balance {
  readonly amount_in_cents: Cents;
  readonly date: CalendarDate | null;
}

/** One account's span in a file. Files without a frame (CSV, most QIF) are one statement. */
export interface BankStatement {
  /** The account as the file names it (IBAN, number); null where it does not. */
  readonly account: string | null;
  /** The bank as the file names it (BIC, routing number). */
  readonly bank: string | null;
  /** The statement's own number or id. */
  readonly number: string | null;
  readonly currency: string | null;
  readonly opening: Balance | null;
  readonly closing: Balance | null;
  /** First and last booking date of its lines, or the span the file states. */
  readonly from: CalendarDate | null;
  readonly to: CalendarDate | null;
  readonly place: string;
  readonly lines: number;
  /** What its lines add to its balance, net of fees. */
  readonly lines_in_cents: Cents;
  /** Of its lines. */
  readonly currencies: readonly (string | null)[];
}

export interface BankLine {
  /**
   * The row's number in its file: in tables the first data row is 1, rows that were skipped or failed are counted, blank
   * lines are not; in other formats the number of the entry (or of the detail, where a batch has details).
   */
  readonly row: number;
  /** Where to find it: `line 7`, `Sheet1!A7`, `line 120`. */
  readonly place: string;
  /** Index into the file's statements. */
  readonly statement: number;
  readonly booked_on: CalendarDate;
  readonly value_on: CalendarDate | null;
  /**
   * Minor units of its currency (ISO 4217: cents; whole yen; thousandths of a dinar: see `decimalsOf`), money received
   * positive. In a payout report: the gross, what the customer paid or got back.
   */
  readonly amount_in_cents: Cents;
  /** Upper case; null where neither file, profile nor caller says. */
  readonly currency: string | null;
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  /** The bank's own id of the line (FITID, AcctSvcrRef, :61: bank reference, balance transaction), as it stands. Banks reuse them. */
  readonly bank_id: string | null;
  /** The batch by which the processor pays out. */
  readonly payout_id: string | null;
  /** The payment gateway's transaction id, as the billing service may know it. */
  readonly gateway_transaction_id: string | null;
  readonly kind: LineKind;
  /** Payout reports: what the processor kept of it (a cost is positive, a fee given back negative), same currency. Else null. */
  readonly fee_in_cents: Cents | null;
  /** Payout reports: amount less fee, what the line adds to the processor's balance. Else null. */
  readonly net_in_cents: Cents | null;
  /** The amount in the currency it came in, where the file gives one besides. */
  readonly foreign: ForeignAmount | null;
  /** The account's balance after the line, where the file states it. */
  readonly balance_in_cents: Cents | null;
  /** Everything else the file says of it, by the file's own names. Never used for matching. */
  readonly extra: Readonly<Record<string, string>>;
}

export interface ForeignAmount {
  readonly amount_in_cents: Cents;
  readonly currency: string;
  /** The rate as the file writes it. */
  readonly rate: string | null;
}

/** A processor's batch: from gross to what it paid out. */
export interface Payout {
  readonly payout_id: string;
  readonly currency: string | null;
  /** The day the processor sent it, where the report says. */
  readonly paid_on: CalendarDate | null;
  /** The last day on which a line of it was booked. */
  readonly last_on: CalendarDate;
  /** What the report itself says was paid out; null where only its lines are listed. */
  readonly stated_in_cents: Cents | null;
  readonly gross_in_cents: Cents;
  readonly fee_in_cents: Cents;
  /** Sum of the net amounts of its lines, the payout itself not counted. */
  readonly net_in_cents: Cents;
  /** Lines in it, the payout itself not counted. */
  readonly lines: number;
}

/**
 * - `refused`: the file, or the rest of it, was not read.
 * - `failed`: a row that should be a line and could not be read.
 * - `skipped`: a row that is no line of this account (a total, a pending entry, a repeated header), left out on purpose.
 * - `doubtful`: a line that was read, with something about it to look at.
 * - `balance`: figures of the file that do not agree with each other.
 */
export type ProblemEffect = 'refused' | 'failed' | 'skipped' | 'doubtful' | 'balance';

export interface FileProblem {
  readonly effect: ProblemEffect;
  /** The row it is about; null for the file or a statement. */
  readonly row: number | null;
  /** Where: `line 7`, `Sheet1!A7`, `the file`. */
  readonly place: string;
  /** One sentence. */
  readonly reason: string;
  /** The text at that place, at most 500 characters. */
  readonly raw: string;
}

/** What cannot be decided from the file. The key goes into `options.answers` with one of the values. */
export interface Question {
  readonly key: string;
  readonly text: string;
  /** The first is the one the lines were read by. */
  readonly readings: readonly Reading[];
}

export interface Reading {
  readonly value: string;
  readonly label: string;
  /** Texts of the file, and what this reading makes of them. */
  readonly examples: readonly { readonly place: string; readonly raw: string; readonly meaning: string }[];
}

export interface ReadOptions {
  /** The profile to read a table by: its name among the known ones, or the profile itself. Default: the one whose columns are there, else detection. */
  readonly profile?: string | Profile;
  /** Saved profiles, tried before the built-in ones. */
  readonly profiles?: readonly Profile[];
  /** Answers to questions, by key. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Currency of lines for which the file names none. */
  readonly currency?: string;
  /** Today, for two-digit years and dates to come. Default: none is too late. */
  readonly today?: CalendarDate;
}
