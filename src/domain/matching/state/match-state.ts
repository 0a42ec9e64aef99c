import { type BankLineTable, getLineKind } from '../indexes/bank-lines.ts';
import { IntColumn, NumberColumn, TextNumbering } from '../indexes/columns.ts';
import { PAYOUT_ROW, type PaymentTable } from '../indexes/payments.ts';
import type { ProcessorPayouts } from '../indexes/processor-payouts.ts';
import { RowsByAmount } from '../indexes/rows-by-amount.ts';
import type { MatchAccount, MatchPassId, MatchStatus } from '../model/match-types.ts';
import { matchPassIds } from '../model/match-types.ts';
import type { ArrivalWindows } from './arrival-windows.ts';

/** State of a row that is neither explained nor part of a proposal. */
export const ROW_FREE = 0;
export const ROW_PROPOSED = 1;
export const ROW_EXPLAINED = 2;

export const matchStatuses: readonly MatchStatus[] = ['confirmed', 'suggested', 'ambiguous'];

/** A match to be added: its rows, and the claimed amount of each. */
export interface MatchDraft {
  readonly rule: MatchPassId;
  readonly status: MatchStatus;
  readonly score: number;
  readonly lines: readonly number[];
  readonly payments: readonly number[];
  /** Claimed amounts of the lines in cents. The default is their complete open amounts. */
  readonly lineCents?: readonly number[];
  readonly paymentCents?: readonly number[];
  readonly adjustments?: readonly (readonly [category: string, cents: number, reason: string | null])[];
  readonly alternatives?: number;
  readonly userRule?: number;
  /** Kind of the id by which the line names the payment, or -1 if it names none. */
  readonly idKind?: number;
  /** Sentence about why the match is not certain, or another remark. */
  readonly remark?: string;
  readonly reversedPayment?: number;
}

/** Decides whether a match is proved. */
export interface MatchGate {
  /** Returns the reason why a match is not proved; null if it is. */
  findObjection(draft: MatchDraft): string | null;
  /** Returns the estimated share of ids with a typing error in a line's column. */
  estimateSlipRate(line: number): number;
  /** Returns the kind of the id by which a line quotes a payment in a match of several rows; -1 if it quotes none. */
  findQuotedKind(line: number, payment: number): number;
  /** Returns true if a line names the customer of a payment in full. */
  namesCustomer(line: number, payment: number): boolean;
  /** Returns true if the payer whom a line names is not the customer of a payment. */
  namesOther(line: number, payment: number): boolean;
  /** Returns why a match by name may be wrong, because other open lines explain its line or payment. Null if they do not. */
  findRivalObjection(line: number, payment: number): string | null;
  /** Returns true if a line names another company, whose name extends the customer's name. */
  namesOtherCompany(line: number, payment: number): boolean;
}

/** Maximum score of a match that is not proved. Chosen by judgment. */
const MAX_UNPROVED_SCORE = 70;

/** A match of one line and one payment. The objection to it, if any, becomes its remark. */
interface PairDraft extends Pick<MatchDraft, 'rule' | 'idKind' | 'adjustments' | 'userRule'> {
  readonly objection: string | null;
  readonly scores: readonly [confirmed: number, suggested: number];
}

/** Payment rows that a person declined to match, by line row. -1 means a declined match without payments. */
export type DeclinedPairs = ReadonlyMap<number, ReadonlySet<number>>;

/** State of a matching run: its rows, the state of each row and the matches so far, stored in typed arrays. */
export class MatchState {
  readonly lines: BankLineTable;
  readonly payments: PaymentTable;
  readonly accounts: readonly MatchAccount[];
  readonly lineState: Uint8Array;
  readonly paymentState: Uint8Array;
  readonly payouts: ProcessorPayouts;
  readonly declinedPairs: DeclinedPairs;
  /** Arrival windows; null until the passes by id have run. */
  arrivalWindows: ArrivalWindows | null = null;
  readonly remarks: string[] = [];
  /** Gate that every automatic confirmation passes. Null until the rows have been read. */
  gate: MatchGate | null = null;
  /** Matches that a pass proposed as certain and that the gate refused, with the score they have once they are proved. */
  readonly unprovedMatches: (readonly [match: number, provedScore: number])[] = [];

  /** Per match: index of the pass that created it. */
  readonly pass = new IntColumn();
  readonly status = new IntColumn();
  readonly score = new IntColumn();
  readonly alternatives = new IntColumn();
  readonly userRule = new IntColumn();
  readonly idKind = new IntColumn();
  readonly remark = new IntColumn();
  readonly payout = new IntColumn();
  readonly reversedPayment = new IntColumn();
  /** Start of each match's lines. Has one more entry than there are matches. */
  readonly linesFrom = new IntColumn();
  readonly paymentsFrom = new IntColumn();
  readonly adjustmentsFrom = new IntColumn();
  /** Per line of a match: row of the line. */
  readonly line = new IntColumn();
  readonly lineCents = new NumberColumn();
  readonly payment = new IntColumn();
  readonly paymentCents = new NumberColumn();
  readonly adjustmentCategory = new IntColumn();
  readonly adjustmentCents = new NumberColumn();
  readonly adjustmentReason = new IntColumn();
  readonly texts = new TextNumbering();
  #linesByAmount: RowsByAmount | null = null;
  #paymentsByAmount: RowsByAmount | null = null;

  constructor(tables: Pick<MatchState, 'lines' | 'payments' | 'accounts' | 'payouts' | 'declinedPairs'>) {
    const { lines, payments } = tables;
    this.lines = lines;
    this.payments = payments;
    this.accounts = tables.accounts;
    this.payouts = tables.payouts;
    this.declinedPairs = tables.declinedPairs;
    this.lineState = new Uint8Array(lines.length);
    this.paymentState = new Uint8Array(payments.length);
    for (let row = 0; row < lines.length; row++)
      if (lines.openCents.at(row) === 0) this.lineState[row] = ROW_EXPLAINED;
    for (let row = 0; row < payments.length; row++)
      if (payments.openCents.at(row) === 0) this.paymentState[row] = ROW_EXPLAINED;
    for (const from of [this.linesFrom, this.paymentsFrom, this.adjustmentsFrom]) from.push(0);
  }

  /** Lines that can be payments, by amount. */
  get linesByAmount(): RowsByAmount {
    this.#linesByAmount ??= new RowsByAmount(this.lines, (row) => this.lines.canBePayment(row));
    return this.#linesByAmount;
  }

  /** Payments and refunds without payouts, by amount. */
  get paymentsByAmount(): RowsByAmount {
    const { payments } = this;
    this.#paymentsByAmount ??= new RowsByAmount(payments, (row) => payments.rowType.at(row) !== PAYOUT_ROW);
    return this.#paymentsByAmount;
  }

  get matchCount(): number {
    return this.pass.length;
  }

  /** Returns true if a person declined to match the line with the payment, or the line alone (payment -1). */
  isDeclined(line: number, payment: number): boolean {
    const declined = this.declinedPairs.get(line);
    if (declined === undefined) return false;
    const isAlone = payment === -1 || this.payments.rowType.at(payment) === PAYOUT_ROW;
    return declined.has(isAlone ? -1 : payment);
  }

  /** Returns true if a line and a payment have the same currency and sign. */
  isComparable(line: number, payment: number): boolean {
    const { lines, payments } = this;
    return (
      lines.currency.at(line) === payments.currency.at(payment) &&
      Math.sign(lines.openCents.at(line)) === Math.sign(payments.openCents.at(payment))
    );
  }

  /** Returns the number of days from a payment to a line. */
  getLagDays(line: number, payment: number): number {
    return this.lines.day.at(line) - this.payments.day.at(payment);
  }

  /** Returns true if the line's lag is in its account's usual range, or in the wider range of candidates. */
  isInRange(range: 'usual' | 'candidate', line: number, payment: number): boolean {
    const { from, to } = this.arrivalWindows!.getRange(range, this.lines.account.at(line));
    const lag = this.getLagDays(line, payment);
    return lag >= from && lag <= to;
  }

  /** Reserves a payment that an undecided proposal concerns, so that no weaker pass takes it. */
  reserve(payment: number): void {
    if (this.paymentState[payment] === ROW_FREE) this.paymentState[payment] = ROW_PROPOSED;
  }

  /** Adds a match. Its rows become explained if it is confirmed; otherwise they become proposed. */
  addMatch(proposed: MatchDraft): void {
    const draft = this.#prove(proposed);
    const [payment] = draft.payments;
    const payout = payment === undefined ? -1 : this.payouts.indexOfPayment(payment);
    const match = payout === -1 ? draft : this.#withPayoutLines(draft, payment as number, payout);
    this.pass.push(matchPassIds.indexOf(match.rule));
    this.status.push(matchStatuses.indexOf(match.status));
    this.score.push(match.score);
    this.alternatives.push(match.alternatives ?? 0);
    this.userRule.push(match.userRule ?? -1);
    this.idKind.push(match.idKind ?? -1);
    this.remark.push(match.remark === undefined ? -1 : this.texts.assignNumber(match.remark));
    this.payout.push(payout);
    this.reversedPayment.push(match.reversedPayment ?? -1);
    this.#addMembers(match);
    const rowState = match.status === 'confirmed' ? ROW_EXPLAINED : ROW_PROPOSED;
    for (const row of match.lines) this.lineState[row] = rowState;
    for (const row of draft.payments) this.paymentState[row] = rowState;
  }

  /** Turns a confirmed match that is not proved into a suggestion. */
  #prove(draft: MatchDraft): MatchDraft {
    const objection = draft.status === 'confirmed' ? this.gate?.findObjection(draft) : null;
    if (objection === null || objection === undefined) return draft;
    if (draft.adjustments === undefined) this.unprovedMatches.push([this.matchCount, draft.score]);
    const score = Math.min(draft.score, MAX_UNPROVED_SCORE);
    return { ...draft, status: 'suggested', score, remark: objection };
  }

  /** Adds a match of one line and one payment. It is confirmed without an objection and suggested with one. */
  addPair(line: number, payment: number, { objection, scores, ...match }: PairDraft): void {
    const members = { ...match, lines: [line], payments: [payment] };
    if (objection === null) this.addMatch({ ...members, status: 'confirmed', score: scores[0] });
    else this.addMatch({ ...members, status: 'suggested', score: scores[1], remark: objection });
  }

  /** Adds an ambiguous match of a line without a payment, because too many payments are compatible with it. */
  addLineWithoutProposal(
    line: number,
    match: Pick<MatchDraft, 'rule' | 'score' | 'alternatives' | 'idKind' | 'remark'>,
  ) {
    this.addMatch({ ...match, status: 'ambiguous', lines: [line], payments: [] });
  }

  #addMembers({ lines, lineCents, payments, paymentCents, adjustments = [] }: MatchDraft): void {
    for (const [at, row] of lines.entries()) {
      this.line.push(row);
      this.lineCents.push(lineCents?.[at] ?? this.lines.openCents.at(row));
    }
    for (const [at, row] of payments.entries()) {
      this.payment.push(row);
      this.paymentCents.push(paymentCents?.[at] ?? this.payments.openCents.at(row));
    }
    for (const [category, cents, reason] of adjustments) {
      this.adjustmentCategory.push(this.texts.assignNumber(category));
      this.adjustmentCents.push(cents);
      this.adjustmentReason.push(reason === null ? -1 : this.texts.assignNumber(reason));
    }
    this.linesFrom.push(this.line.length);
    this.paymentsFrom.push(this.payment.length);
    this.adjustmentsFrom.push(this.adjustmentCategory.length);
  }

  /**
   * Completes the match of a deposit with a payout, which is not a payment of the statements. Its amount is compared
   * with the report's own payout line or, without one, with the payout. A confirmed deposit also explains the
   * payout's fees, reserves and adjustments.
   */
  #withPayoutLines(draft: MatchDraft, payment: number, payout: number): MatchDraft {
    const { payoutLines, explainedLines } = this.payouts.findPayoutLines(payout, this.lines);
    const explained = draft.status === 'confirmed' ? explainedLines : [];
    const adjustments: [string, number, string | null][] = explained.map((row) => [
      getLineKind(this.lines.kind.at(row)),
      this.lines.openCents.at(row),
      'part of the payout',
    ]);
    if (payoutLines.length === 0) adjustments.push(['payout', this.payments.openCents.at(payment), null]);
    const lines = [...draft.lines, ...payoutLines, ...explained];
    return {
      ...draft,
      lines,
      payments: [],
      lineCents: lines.map((row) => this.lines.openCents.at(row)),
      adjustments: [...(draft.adjustments ?? []), ...adjustments],
    };
  }
}
