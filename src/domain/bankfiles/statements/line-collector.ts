import type { CalendarDate, Cents } from '../../ledger/index.ts';
import type {
  BankFileSink,
  BankLine,
  BankStatement,
  FileProblemEffect,
  StatedBalance,
} from '../model/bank-file.ts';
import { MAX_RAW } from '../model/limits.ts';
import type { LineKind } from '../model/line-kind.ts';
import { PayoutTally, StatementTally } from './statement-tally.ts';

/** A line as returned by a reader. Missing fields are not in the file. */
export type LineDraft = Pick<BankLine, 'row' | 'location' | 'booked_on' | 'amount_in_cents' | 'currency'> &
  Partial<BankLine>;

type StatementHeader = Omit<BankStatement, 'lines' | 'lines_in_cents' | 'currencies'>;

/** A statement while it is being read. */
export type StatementDraft = { -readonly [Name in keyof StatementHeader]: StatementHeader[Name] };

/**
 * Receives a reader's results in the order of the file. Every counted row must become a line or a problem. Both are
 * passed on at once, and only totals are present.
 */
export class LineCollector {
  readonly statements: StatementDraft[] = [];
  /** Totals per statement. */
  readonly tallies: StatementTally[] = [];
  readonly payouts = new PayoutTally();
  rows = 0;
  lines = 0;
  /** True if the file, or its remainder, was not read. */
  refused = false;
  readonly #sink: BankFileSink;

  constructor(sink: BankFileSink) {
    this.#sink = sink;
  }

  /** Starts a statement. Following lines belong to it. */
  beginStatement(location: string, known: Partial<StatementHeader> = {}): StatementDraft {
    const statement: StatementDraft = {
      account: null,
      bank: null,
      number: null,
      currency: null,
      opening: null,
      closing: null,
      from: null,
      to: null,
      location,
      ...known,
    };
    this.statements.push(statement);
    this.tallies.push(new StatementTally());
    return statement;
  }

  addLine(draft: LineDraft): void {
    if (this.statements.length === 0) this.beginStatement('the file');
    const line: BankLine = {
      value_on: null,
      description: '',
      reference: null,
      counterparty: null,
      bank_id: null,
      payout_id: null,
      gateway_transaction_id: null,
      kind: 'entry' as LineKind,
      fee_in_cents: null,
      net_in_cents: null,
      foreign: null,
      balance_in_cents: null,
      extra: NO_EXTRA,
      statement: this.statements.length - 1,
      ...draft,
    };
    this.lines++;
    this.tallies[line.statement]?.add(line);
    this.payouts.add(line);
    this.#sink.onLine(line);
  }

  /** Reports a problem. `raw` is the text at that location, `row` the number of the row. */
  reportProblem(
    effect: FileProblemEffect,
    location: string,
    reason: string,
    { raw = '', row = null }: { raw?: string | undefined; row?: number | null } = {},
  ): void {
    this.refused ||= effect === 'refused';
    this.#sink.onProblem({ effect, row, location, reason, raw: quoteText(raw) });
  }
}

/** Returns the text to show with a problem: trimmed, without control characters, limited in length. */
function quoteText(raw: string): string {
  const text = raw
    .slice(0, MAX_RAW * 2)
    .trim()
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
  return text.length > MAX_RAW ? `${text.slice(0, MAX_RAW - 1)}…` : text;
}

export const createBalance = (amount_in_cents: Cents, date: CalendarDate | null): StatedBalance => ({
  amount_in_cents,
  date,
});

/** Joins texts with spaces, leaving out empty and repeated ones. */
export function joinTexts(texts: Iterable<string | null | undefined>): string {
  const unique = new Set<string>();
  for (const text of texts) {
    const plain = text?.replace(/\s+/g, ' ').trim();
    if (plain) unique.add(plain);
  }
  return [...unique].join(' ');
}

/** Returns the trimmed text, or null if it is empty. */
export const trimToNull = (text: string | null | undefined): string | null => text?.trim() || null;

/** Shared by the many lines without extra fields. */
const NO_EXTRA: Record<string, string> = Object.freeze({});

/** Returns an object of the entries that have a value, safe for any names. */
export function buildExtra(
  entries: Iterable<readonly [string, string | null | undefined]>,
): Record<string, string> {
  const present: [string, string][] = [];
  for (const [name, value] of entries) if (value) present.push([name, value]);
  return present.length === 0 ? NO_EXTRA : Object.fromEntries(present);
}
