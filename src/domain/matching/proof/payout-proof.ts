import { PAYOUT_ROW } from '../indexes/payments.ts';
import { RowsByAmount } from '../indexes/rows-by-amount.ts';
import { type MatchState, ROW_EXPLAINED } from '../state/match-state.ts';

/** Days before a payout on which its deposit may be booked. The dates of reports and banks differ by time zone. */
export const PAYOUT_DAYS_BEFORE = 2;

/**
 * Decides whether an amount proves a payout's deposit. Deposits arrive sooner than the money of customers, from whose
 * lines the account's window is learned. The payouts and lines of the whole time until the window's end are compared.
 */
export class PayoutProof {
  readonly #state: MatchState;
  readonly #payouts: RowsByAmount;

  constructor(state: MatchState) {
    const { payments } = state;
    this.#state = state;
    this.#payouts = new RowsByAmount(payments, (row) => payments.rowType.at(row) === PAYOUT_ROW);
  }

  /** Returns true if another payout or another line of the amount fits as well and has no match yet. */
  hasAlternative(line: number, payout: number): boolean {
    const { lines, payments, lineState, paymentState, linesByAmount, arrivalWindows } = this.#state;
    const { to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const amount = [lines.openCents.at(line), lines.currency.at(line)] as const;
    const [lineDay, payoutDay] = [lines.day.at(line), payments.day.at(payout)];
    for (const other of this.#payouts.find(amount, lineDay - to, lineDay + PAYOUT_DAYS_BEFORE))
      if (other !== payout && paymentState[other] !== ROW_EXPLAINED) return true;
    for (const other of linesByAmount.find(amount, payoutDay - PAYOUT_DAYS_BEFORE, payoutDay + to))
      if (other !== line && lineState[other] !== ROW_EXPLAINED && !lines.isProcessorLine(other)) return true;
    return false;
  }
}
