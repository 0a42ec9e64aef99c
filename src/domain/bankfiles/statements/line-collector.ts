import type { CalendarDate, Cents } from '../../ledger/index.ts';
import type {
  BankFileSink,
  BankLine,
  BankStatement,
  FileProblemEffect,
  StatedBalance,
} from '../model/bank-file.ts';
import { MAX_QUOTED_CHARACTERS } from '../model/limits.ts';
import type { BankLineKind } from '../model/line-kind.ts';
import { PayoutTally, StatementTally } from './statement-tally.ts';

/** A bank line as returned by a format reader. Fields that the file does not contain are missing. */
export type LineDraft = Pick<BankLine, 'row' | 'location' | 'booked_on' | 'amount_in_cents' | 'currency'> &
  Partial<BankLine>;

type StatementHeader = Omit<BankStatement, 'lines' | 'lines_in_cents' | 'currencies'>;

export type StatementDraft = { -readonly [Name in keyof StatementHeader]: StatementHeader[Name] };

/**
 * Receives a format reader's lines and problems in file order and passes them on immediately. Every counted row must
 * become a line or a problem.
 */
export class LineCollector {
  readonly statements: StatementDraft[] = [];
  readonly tallies: StatementTally[] = [];
  readonly payouts = new PayoutTally();
  rows = 0;
  lines = 0;
  /** True if the file, or the remainder of it, was not read. */
  refused = false;
  readonly #sink: BankFileSink;

  constructor(sink: BankFileSink) {
    this.#sink = sink;
  }

  /** Starts a statement. Lines added from now on belong to this statement. */
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
      kind: 'entry' as BankLineKind,
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

  /** Reports a problem. `raw` is the text at the location, and `row` is the row number. */
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

/** Returns the text to show with a problem: trimmed, limited in length and without control characters. */
function quoteText(raw: string): string {
  const text = raw
    .slice(0, MAX_QUOTED_CHARACTERS * 2)
    .trim()
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
  return text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS - 1)}…` : text;
}

export const createStatedBalance = (amount_in_cents: Cents, date: CalendarDate | null): StatedBalance => ({
  amount_in_cents,
  date,
});

/** Joins texts with spaces. Empty and repeated texts are left out. */
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

/** Shared empty object for lines without extra fields, because there are many of them. */
const NO_EXTRA: Record<string, string> = Object.freeze({});

/** Returns an object with the entries that have a value. Safe for any property name. */
export function buildExtraFields(
  entries: Iterable<readonly [string, string | null | undefined]>,
): Record<string, string> {
  const present: [string, string][] = [];
  for (const [name, value] of entries) if (value) present.push([name, value]);
  return present.length === 0 ? NO_EXTRA : Object.fromEntries(present);
}
