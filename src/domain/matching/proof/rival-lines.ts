import { type MatchState, ROW_EXPLAINED } from '../state/match-state.ts';

/** Finds lines that compete with a line for its payment although they do not name the customer. */
export class RivalLines {
  readonly #state: MatchState;
  readonly #namesNobody: (line: number) => boolean;

  constructor(state: MatchState, namesNobody: (line: number) => boolean) {
    this.#state = state;
    this.#namesNobody = namesNobody;
  }

  /**
   * Returns true if another line names nobody and can pay nothing but this payment. A namesake may then have sent the line
   * that names the customer.
   */
  hasRival(line: number, payment: number): boolean {
    const { lines, payments, lineState, linesByAmount, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = payments.day.at(payment);
    for (const other of linesByAmount.find(this.#getAmount(line), day + from, day + to)) {
      if (other === line || lineState[other] === ROW_EXPLAINED) continue;
      if (this.#canOnlyPay(other, payment) && this.#namesNobody(other)) return true;
    }
    return false;
  }

  /** Returns true if another line has the same account, day, amount and texts, as if the bank had written it twice. */
  isRepeated(line: number): boolean {
    const { lines, linesByAmount } = this.#state;
    const day = lines.day.at(line);
    for (const other of linesByAmount.find(this.#getAmount(line), day, day))
      if (other !== line && this.#isEqual(line, other)) return true;
    return false;
  }

  #isEqual(line: number, other: number): boolean {
    const { contentHash, account } = this.#state.lines;
    return contentHash.at(line) === contentHash.at(other) && account.at(line) === account.at(other);
  }

  #canOnlyPay(line: number, payment: number): boolean {
    const { lines, paymentsByAmount, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = lines.day.at(line);
    const possible = paymentsByAmount.find(this.#getAmount(line), day - to, day - from);
    return possible.every((other) => other === payment);
  }

  #getAmount(line: number): readonly [cents: number, currency: number] {
    const { amountCents, currency } = this.#state.lines;
    return [amountCents.at(line), currency.at(line)];
  }
}
