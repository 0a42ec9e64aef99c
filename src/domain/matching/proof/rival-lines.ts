import { type MatchState, ROW_EXPLAINED, ROW_FREE } from '../state/match-state.ts';

/** Finds lines that compete with a line for its payment although they do not name the customer. */
export class RivalLines {
  readonly #state: MatchState;
  readonly #namesNobody: (line: number) => boolean;
  #openOfCustomer: ReadonlyMap<number, readonly number[]> | null = null;

  constructor(state: MatchState, namesNobody: (line: number) => boolean) {
    this.#state = state;
    this.#namesNobody = namesNobody;
  }

  /**
   * Returns true if another open line names nobody and fits the payment of a match by name, while the named line may have
   * another reason. Its name may be cut, or its payer has a larger open payment, of which the line may be a part. If no
   * other payment that fits the other line has a match, a namesake may have sent the named line.
   */
  hasRival(line: number, payment: number, mayBeCut: boolean): boolean {
    const { lines, payments, lineState, linesByAmount, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = payments.day.at(payment);
    const isDoubtful = mayBeCut || this.#hasLargerOpenPayment(line, payment);
    for (const other of linesByAmount.find(this.#getAmount(line), day + from, day + to)) {
      if (other === line || lineState[other] === ROW_EXPLAINED) continue;
      const isLikely = isDoubtful && this.#state.isInRange('usual', other, payment);
      if ((isLikely || this.#hasRareAmount(other, payment)) && this.#namesNobody(other)) return true;
    }
    return false;
  }

  /** Returns true if the customer has an earlier payment, of any date, that is larger than the line and in no match. */
  #hasLargerOpenPayment(line: number, payment: number): boolean {
    const { payments, paymentState, lines } = this.#state;
    this.#openOfCustomer ??= Map.groupBy(
      Array.from({ length: payments.length }, (_, row) => row).filter(
        (row) => paymentState[row] === ROW_FREE && payments.customer.at(row) !== -1,
      ),
      (row) => payments.customer.at(row),
    );
    const cents = lines.openCents.at(line);
    return (this.#openOfCustomer.get(payments.customer.at(payment)) ?? []).some((other) => {
      const isLarger = Math.abs(payments.openCents.at(other)) > Math.abs(cents);
      return (
        isLarger && this.#state.isComparable(line, other) && payments.day.at(other) <= lines.day.at(line)
      );
    });
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

  /**
   * Returns true if no other payment of a line's amount in its window has a match. Payments without a match do not count,
   * so that fewer of them never refuse a match.
   */
  #hasRareAmount(line: number, payment: number): boolean {
    const { lines, paymentState, paymentsByAmount, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = lines.day.at(line);
    const possible = paymentsByAmount.find(this.#getAmount(line), day - to, day - from);
    return possible.every((other) => other === payment || paymentState[other] !== ROW_EXPLAINED);
  }

  #getAmount(line: number): readonly [cents: number, currency: number] {
    const { amountCents, currency } = this.#state.lines;
    return [amountCents.at(line), currency.at(line)];
  }
}
