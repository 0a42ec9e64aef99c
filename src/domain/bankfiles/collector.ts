import type { CalendarDate, Cents } from '../ledger/index.ts';
import type { Balance, BankLine, BankStatement, Findings, ProblemEffect } from './file.ts';
import { MAX_RAW } from './limits.ts';
import type { LineKind } from './line-kind.ts';
import { PayoutTally, StatementTally } from './tally.ts';

/** A line as returned by a reader. Missing fields are not in the file. */
export type LineDraft = Pick<BankLine, 'row' | 'place' | 'booked_on' | 'amount_in_cents' | 'currency'> &
  Partial<BankLine>;

type Stated = Omit<BankStatement, 'lines' | 'lines_in_cents' | 'currencies'>;

/** A statement while it is being read. */
export type StatementDraft = { -readonly [Name in keyof Stated]: Stated[Name] };

/**
 * Receives a reader's results in the order of the file. Every counted row must become a line or a problem. Both are
 * passed on at once, and only totals are kept.
 */
export class Collector {
  readonly statements: StatementDraft[] = [];
  /** Totals per statement. */
  readonly tallies: StatementTally[] = [];
  readonly payouts = new PayoutTally();
  rows = 0;
  lines = 0;
  /** True if the file, or its remainder, was not read. */
  refused = false;
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Starts a statement. Following lines belong to it. */
  statement(place: string, known: Partial<Stated> = {}): StatementDraft {
    const statement: StatementDraft = {
      account: null,
      bank: null,
      number: null,
      currency: null,
      opening: null,
      closing: null,
      from: null,
      to: null,
      place,
      ...known,
    };
    this.statements.push(statement);
    this.tallies.push(new StatementTally());
    return statement;
  }

  line(draft: LineDraft): void {
    if (this.statements.length === 0) this.statement('the file');
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
      extra: nothing,
      statement: this.statements.length - 1,
      ...draft,
    };
    this.lines++;
    this.tallies[line.statement]?.add(line);
    this.payouts.add(line);
    this.#findings.line(line);
  }

  problem(effect: ProblemEffect, place: string, reason: string, raw = '', row: number | null = null): void {
    this.refused ||= effect === 'refused';
    this.#findings.problem({ effect, row, place, reason, raw: quoted(raw) });
  }
}

/** Returns the text to show with a problem: trimmed, without control characters, limited in length. */
function quoted(raw: string): string {
  const text = raw
    .slice(0, MAX_RAW * 2)
    .trim()
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
  return text.length > MAX_RAW ? `${text.slice(0, MAX_RAW - 1)}…` : text;
}

export const balance = (amount_in_cents: Cents, date: CalendarDate | null): Balance => ({
  amount_in_cents,
  date,
});

/** Joins texts with spaces, leaving out empty and repeated ones. */
export function joined(texts: Iterable<string | null | undefined>): string {
  const said = new Set<string>();
  for (const text of texts) {
    const plain = text?.replace(/\s+/g, ' ').trim();
    if (plain) said.add(plain);
  }
  return [...said].join(' ');
}

/** Returns the trimmed text, or null if it is empty. */
export const textOrNull = (text: string | null | undefined): string | null => text?.trim() || null;

/** Shared by the many lines without extra fields. */
const nothing: Record<string, string> = Object.freeze({});

/** Returns an object of the entries that have a value, safe for any names. */
export function extraOf(
  entries: Iterable<readonly [string, string | null | undefined]>,
): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [name, value] of entries) if (value) kept.push([name, value]);
  return kept.length === 0 ? nothing : Object.fromEntries(kept);
}
