import type { MatchAccount, MatchStatus, RuleId } from './model.ts';
import { ruleIds } from './model.ts';
import { Ints, Names, Numbers } from './rows/column.ts';
import { kindName, type Lines } from './rows/lines.ts';
import { OF_PAYOUT, type Payments } from './rows/payments.ts';
import type { Batches } from './rows/payouts.ts';
import type { Windows } from './windows.ts';

/** What became of a row so far: nothing, a proposal that waits for somebody, or all of it is explained. */
export const FREE = 0;
export const CONTESTED = 1;
export const TAKEN = 2;

export const statuses: readonly MatchStatus[] = ['confirmed', 'suggested', 'ambiguous'];

/** A group in the making: rows, and how much of each. */
export interface Draft {
  readonly rule: RuleId;
  readonly status: MatchStatus;
  readonly score: number;
  readonly lines: readonly number[];
  readonly payments: readonly number[];
  /** Where not all that is open of each is taken. */
  readonly lineShares?: readonly number[];
  readonly paymentShares?: readonly number[];
  readonly adjustments?: readonly (readonly [category: string, amount: number, reason: string | null])[];
  readonly rivals?: number;
  readonly userRule?: number;
  /** By which id the line names the payment; -1: by none. */
  readonly idKind?: number;
  /** What keeps it from being certain, or what else is to be said: a sentence. */
  readonly remark?: string;
  readonly reverses?: number;
}

/** Where matching stands: the rows, what became of each, and the groups so far, kept without objects. */
export class Board {
  readonly lines: Lines;
  readonly payments: Payments;
  readonly accounts: readonly MatchAccount[];
  readonly lineState: Uint8Array;
  readonly paymentState: Uint8Array;
  readonly batches: Batches;
  readonly #declined: ReadonlyMap<number, ReadonlySet<number>>;
  windows: Windows | null = null;
  readonly remarks: string[] = [];

  readonly rule = new Ints();
  readonly status = new Ints();
  readonly score = new Ints();
  readonly rivals = new Ints();
  readonly userRule = new Ints();
  readonly idKind = new Ints();
  readonly remark = new Ints();
  readonly batch = new Ints();
  readonly reverses = new Ints();
  readonly linesFrom = new Ints();
  readonly line = new Ints();
  readonly lineShare = new Numbers();
  readonly paymentsFrom = new Ints();
  readonly payment = new Ints();
  readonly paymentShare = new Numbers();
  readonly adjustmentsFrom = new Ints();
  readonly category = new Ints();
  readonly adjustment = new Numbers();
  readonly why = new Ints();
  readonly texts = new Names();

  constructor(
    lines: Lines,
    payments: Payments,
    accounts: readonly MatchAccount[],
    batches: Batches,
    declined: ReadonlyMap<number, ReadonlySet<number>>,
  ) {
    this.lines = lines;
    this.payments = payments;
    this.accounts = accounts;
    this.batches = batches;
    this.#declined = declined;
    this.lineState = new Uint8Array(lines.length);
    this.paymentState = new Uint8Array(payments.length);
    for (let row = 0; row < lines.length; row++) if (lines.open.at(row) === 0) this.lineState[row] = TAKEN;
    for (let row = 0; row < payments.length; row++) {
      if (payments.open.at(row) === 0) this.paymentState[row] = TAKEN;
    }
    for (const from of [this.linesFrom, this.paymentsFrom, this.adjustmentsFrom]) from.push(0);
  }

  get count(): number {
    return this.rule.length;
  }

  /** Whether somebody said no to that pair; with no payment (-1), or a payout, which is none: to a group of that line alone. */
  declined(line: number, payment: number): boolean {
    const no = this.#declined.get(line);
    if (no === undefined) return false;
    return no.has(payment === -1 || this.payments.sort.at(payment) === OF_PAYOUT ? -1 : payment);
  }

  hasDeclines(line: number): boolean {
    return this.#declined.has(line);
  }

  declines(): Iterable<[number, ReadonlySet<number>]> {
    return this.#declined;
  }

  /** Whether both are of one currency, and money moves the same way. */
  comparable(line: number, payment: number): boolean {
    const { lines, payments } = this;
    return (
      lines.currency.at(line) === payments.currency.at(payment) &&
      Math.sign(lines.open.at(line)) === Math.sign(payments.open.at(payment))
    );
  }

  lag(line: number, payment: number): number {
    return this.lines.day.at(line) - this.payments.day.at(payment);
  }

  /** A payment that a proposal is about, though it proposes another one: no weaker pass may have it. */
  contest(payment: number): void {
    if (this.paymentState[payment] === FREE) this.paymentState[payment] = CONTESTED;
  }

  /** Adds a group and claims its rows: wholly where it is confirmed, else as contested. */
  add(given: Draft): void {
    const { lines, payments } = this;
    const [first] = given.payments;
    const batch = first !== undefined && payments.sort.at(first) === OF_PAYOUT ? this.batches.of(first) : -1;
    const draft = batch === -1 ? given : this.#deposit(given, first as number, batch);
    this.rule.push(ruleIds.indexOf(draft.rule));
    this.status.push(statuses.indexOf(draft.status));
    this.score.push(draft.score);
    this.rivals.push(draft.rivals ?? 0);
    this.userRule.push(draft.userRule ?? -1);
    this.idKind.push(draft.idKind ?? -1);
    this.remark.push(draft.remark === undefined ? -1 : this.texts.number(draft.remark));
    this.batch.push(batch);
    this.reverses.push(draft.reverses ?? -1);
    const state = draft.status === 'confirmed' ? TAKEN : CONTESTED;
    for (const [at, row] of draft.lines.entries()) {
      this.line.push(row);
      this.lineShare.push(draft.lineShares?.[at] ?? lines.open.at(row));
      this.lineState[row] = state;
    }
    for (const [at, row] of draft.payments.entries()) {
      this.payment.push(row);
      this.paymentShare.push(draft.paymentShares?.[at] ?? payments.open.at(row));
    }
    for (const row of given.payments) this.paymentState[row] = state;
    for (const [category, amount, reason] of draft.adjustments ?? []) {
      this.category.push(this.texts.number(category));
      this.adjustment.push(amount);
      this.why.push(reason === null ? -1 : this.texts.number(reason));
    }
    this.linesFrom.push(this.line.length);
    this.paymentsFrom.push(this.payment.length);
    this.adjustmentsFrom.push(this.category.length);
  }

  /**
   * A deposit pays out a batch, which is no payment of the statements: what it came to is held against the report’s own line of the
   * payout, or put down to the payout; a confirmed one explains the batch’s fees, reserves and adjustments as well.
   */
  #deposit(draft: Draft, payment: number, batch: number): Draft {
    const { lines, payments } = this;
    const { paid, others } = this.batches.inner(batch, lines);
    const inner = draft.status === 'confirmed' ? others : [];
    const adjustments: [string, number, string | null][] = inner.map((row) => [
      kindName(lines.kind.at(row)),
      lines.open.at(row),
      'part of the payout',
    ]);
    if (paid.length === 0) adjustments.push(['payout', payments.open.at(payment), null]);
    return {
      ...draft,
      lines: [...draft.lines, ...paid, ...inner],
      payments: [],
      lineShares: [...draft.lines, ...paid, ...inner].map((row) => lines.open.at(row)),
      adjustments: [...(draft.adjustments ?? []), ...adjustments],
    };
  }
}
