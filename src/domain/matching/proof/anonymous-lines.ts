import type { CandidateCounts } from '../state/candidate-counts.ts';
import { type MatchState, matchStatuses, ROW_EXPLAINED } from '../state/match-state.ts';

const CONFIRMED = matchStatuses.indexOf('confirmed');

/** Maximum expected number of strangers among the matches by amount and date of an account. Chosen by judgment. */
const MAX_EXPECTED_STRANGERS = 0.005;
/** Number added to the strangers seen at common amounts; none at unique amounts. Chosen by judgment. */
const STRANGERS_OF_COMMON_AMOUNT = 0.5;
/** Prior of the share of payments without a line: half a payment. Chosen by judgment. */
const PRIOR_UNPAID = 0.5;
/** Days before and after a payment within which other payments make its amount common. Chosen by judgment. */
const COMMON_AMOUNT_DAYS = 366;

/**
 * Measures per account whether amount and date prove a match of a line that names nobody. Such a line may be a
 * stranger's. Strangers show where all payments of their amount have other lines; the same number of strangers, times
 * the share of payments without a line, is expected among the matches.
 */
export class AnonymousLines {
  readonly #state: MatchState;
  /** Per account: strangers seen at amounts that only one payment has, and at amounts that several payments have. */
  readonly #rareStrangers: Float64Array;
  readonly #commonStrangers: Float64Array;
  /** Share of payments without a line, by currency. */
  readonly #unpaidAtBanks: ReadonlyMap<number, number>;
  readonly #unpaidAtProcessors: ReadonlyMap<number, number>;

  constructor(state: MatchState, counts: CandidateCounts, isAnonymous: (line: number) => boolean) {
    this.#state = state;
    this.#rareStrangers = new Float64Array(state.accounts.length);
    this.#commonStrangers = new Float64Array(state.accounts.length);
    this.#countStrangers(counts, isAnonymous);
    this.#unpaidAtBanks = measureUnpaidShares(state, counts, false);
    this.#unpaidAtProcessors = measureUnpaidShares(state, counts, true);
  }

  /** Returns true if a line that names nobody may be a stranger's, so that its payment's own line is missing. */
  mayBeStranger(line: number, payment: number): boolean {
    const { lines } = this.#state;
    const account = lines.account.at(line);
    const strangers = this.#isCommonAmount(payment)
      ? (this.#commonStrangers[account] as number) + STRANGERS_OF_COMMON_AMOUNT
      : (this.#rareStrangers[account] as number);
    const unpaidShares = lines.isProcessorLine(line) ? this.#unpaidAtProcessors : this.#unpaidAtBanks;
    const unpaidShare = unpaidShares.get(lines.currency.at(line)) ?? 0;
    return strangers * unpaidShare > MAX_EXPECTED_STRANGERS;
  }

  #isCommonAmount(payment: number): boolean {
    const { payments, paymentsByAmount } = this.#state;
    const amount = [payments.amountCents.at(payment), payments.currency.at(payment)] as const;
    const day = payments.day.at(payment);
    return paymentsByAmount.find(amount, day - COMMON_AMOUNT_DAYS, day + COMMON_AMOUNT_DAYS).length > 1;
  }

  /** Counts per account the lines that name nobody and whose possible payments all have other lines. */
  #countStrangers(counts: CandidateCounts, isAnonymous: (line: number) => boolean): void {
    const { lines, lineState } = this.#state;
    for (let line = 0; line < lines.length; line++) {
      if (lineState[line] === ROW_EXPLAINED || counts.candidateCount[line] !== 0) continue;
      if (!lines.canBePayment(line)) continue;
      const payment = this.#findExplainedPayment(line);
      if (payment === -1 || !isAnonymous(line)) continue;
      const strangers = this.#isCommonAmount(payment) ? this.#commonStrangers : this.#rareStrangers;
      const account = lines.account.at(line);
      strangers[account] = (strangers[account] as number) + 1;
    }
  }

  /** Returns a payment of a line's amount and date that has another line; -1 if there is none. */
  #findExplainedPayment(line: number): number {
    const { lines, payments, paymentState, paymentsByAmount, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = lines.day.at(line);
    const cents = lines.openCents.at(line);
    for (const payment of paymentsByAmount.find([cents, lines.currency.at(line)], day - to, day - from))
      if (paymentState[payment] === ROW_EXPLAINED && payments.openCents.at(payment) === cents) return payment;
    return -1;
  }
}

/**
 * Returns, by currency, the share of payments without any line of their amount and date, where lines are stored. Payments
 * at processors say nothing about payments at banks, and the reverse, so payments of the other kind do not count.
 */
function measureUnpaidShares(state: MatchState, counts: CandidateCounts, atProcessors: boolean) {
  const { payments, lines, arrivalWindows } = state;
  const paidElsewhere = findPaidPayments(state, !atProcessors);
  const covered = new Map<number, { first: number; last: number }>();
  for (let line = 0; line < lines.length; line++) {
    const range = arrivalWindows!.getRange('usual', lines.account.at(line));
    const [first, last] = [lines.day.at(line) - range.from, lines.day.at(line) - range.to];
    const days = covered.get(lines.currency.at(line));
    if (days === undefined) covered.set(lines.currency.at(line), { first, last });
    else [days.first, days.last] = [Math.min(days.first, first), Math.max(days.last, last)];
  }
  const unpaid = new Map<number, number>();
  const all = new Map<number, number>();
  const increment = (column: Map<number, number>, row: number): void => {
    const currency = payments.currency.at(row);
    const days = covered.get(currency);
    const day = payments.day.at(row);
    if (days !== undefined && day >= days.first && day <= days.last)
      column.set(currency, (column.get(currency) ?? 0) + 1);
  };
  for (let row = 0; row < payments.length; row++) if (!paidElsewhere.has(row)) increment(all, row);
  for (const [at, row] of counts.payments.rows.entries())
    if (counts.lineCount[at] === 0) increment(unpaid, row);
  return new Map(
    [...covered.keys()].map((currency) => [
      currency,
      ((unpaid.get(currency) ?? 0) + PRIOR_UNPAID) / ((all.get(currency) ?? 0) + 1),
    ]),
  );
}

/** Returns the payments that confirmed lines of processors, or of banks, pay. */
function findPaidPayments(state: MatchState, atProcessors: boolean): Set<number> {
  const { lines, status, line, linesFrom, payment, paymentsFrom } = state;
  const paid = new Set<number>();
  for (let match = 0; match < state.matchCount; match++) {
    if (status.at(match) !== CONFIRMED) continue;
    if (lines.isProcessorLine(line.at(linesFrom.at(match))) !== atProcessors) continue;
    for (let at = paymentsFrom.at(match); at < paymentsFrom.at(match + 1); at++) paid.add(payment.at(at));
  }
  return paid;
}
