import { type MatchState, ROW_EXPLAINED, ROW_FREE } from '../state/match-state.ts';

interface LineNames {
  namesNobody(line: number): boolean;
  namesCustomer(line: number, payment: number): boolean;
}

/** Finds lines that compete with a line for its payment although they do not name the customer. */
export class RivalLines {
  readonly #state: MatchState;
  readonly #names: LineNames;
  #openOfCustomer: ReadonlyMap<number, readonly number[]> | null = null;

  constructor(state: MatchState, names: LineNames) {
    this.#state = state;
    this.#names = names;
  }

  /** Returns why a match by name may be wrong, because other open lines explain its line or payment. Null if they do not. */
  findObjection(line: number, payment: number, mayBeCut: boolean): string | null {
    if (this.#mayBePart(line, payment))
      return 'with another line, it adds up to a larger payment of the customer';
    return this.#hasRival(line, payment, mayBeCut)
      ? 'another line without a name fits the payment as well'
      : null;
  }

  /**
   * Returns true if another open line names nobody and fits the payment of a match by name, while the named line may have
   * another reason. Its name may be cut, or the line may be a part of another payment of its payer. If no other payment
   * that fits the other line has a match, a namesake may have sent the named line.
   */
  #hasRival(line: number, payment: number, mayBeCut: boolean): boolean {
    const mayPayOther = (larger: number): boolean =>
      this.#isFree(larger) || this.#state.isInRange('candidate', line, larger);
    const isDoubtful = mayBeCut || this.#findLargerOpenPayments(line, payment).some(mayPayOther);
    return this.someOther(line, payment, (other) => {
      const isLikely = isDoubtful && this.#state.isInRange('usual', other, payment);
      return (isLikely || this.#hasRareAmount(other, payment)) && this.#names.namesNobody(other);
    });
  }

  /**
   * Returns true if the line and another open line add up to a larger open payment of the customer. The other line names
   * the customer, or it names nobody and no other line fits the larger payment.
   */
  #mayBePart(line: number, payment: number): boolean {
    const { lines, payments, lineState, linesByAmount, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const [cents, currency] = this.#getAmount(line);
    return this.#findLargerOpenPayments(line, payment).some((larger) => {
      const remainder = Math.sign(cents) * (Math.abs(payments.openCents.at(larger)) - Math.abs(cents));
      const day = payments.day.at(larger);
      for (const other of linesByAmount.find([remainder, currency], day + from, day + to)) {
        if (other === line || lineState[other] === ROW_EXPLAINED) continue;
        if (this.#names.namesCustomer(other, larger)) return true;
        if (this.#isFree(larger) && this.#names.namesNobody(other)) return true;
      }
      return false;
    });
  }

  #isFree(payment: number): boolean {
    return this.#state.paymentState[payment] === ROW_FREE;
  }

  /** Returns the customer's earlier payments, of any date, that are larger than the line and in no confirmed match. */
  #findLargerOpenPayments(line: number, payment: number): number[] {
    const { payments, paymentState, lines } = this.#state;
    this.#openOfCustomer ??= Map.groupBy(
      Array.from({ length: payments.length }, (_, row) => row).filter(
        (row) => paymentState[row] !== ROW_EXPLAINED && payments.customer.at(row) !== -1,
      ),
      (row) => payments.customer.at(row),
    );
    const cents = lines.openCents.at(line);
    return (this.#openOfCustomer.get(payments.customer.at(payment)) ?? []).filter((other) => {
      const isLarger = Math.abs(payments.openCents.at(other)) > Math.abs(cents);
      return (
        isLarger && this.#state.isComparable(line, other) && payments.day.at(other) <= lines.day.at(line)
      );
    });
  }

  /** Returns true if a test holds for another open line of a line's amount in the window of a payment. */
  someOther(line: number, payment: number, test: (other: number) => boolean): boolean {
    const { lines, payments, lineState, linesByAmount, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = payments.day.at(payment);
    for (const other of linesByAmount.find(this.#getAmount(line), day + from, day + to))
      if (other !== line && lineState[other] !== ROW_EXPLAINED && test(other)) return true;
    return false;
  }

  /** Returns true if another open payment of a line's amount in its window passes a test. */
  someOtherPayment(line: number, payment: number, test: (other: number) => boolean): boolean {
    const { paymentState } = this.#state;
    return this.#listPossiblePayments(line).some(
      (other) => other !== payment && paymentState[other] !== ROW_EXPLAINED && test(other),
    );
  }

  /** Returns true if another open payment in the line's window may replace one of the payments of a sum. */
  mayReplacePart(line: number, parts: readonly number[]): boolean {
    const { payments, paymentState } = this.#state;
    return parts.some((part) =>
      this.#listPossiblePayments(line, payments.openCents.at(part)).some(
        (other) => !parts.includes(other) && paymentState[other] !== ROW_EXPLAINED,
      ),
    );
  }

  /** Returns the payments of an amount, by default the line's, in the line's window. */
  #listPossiblePayments(line: number, cents: number = this.#getAmount(line)[0]): Int32Array {
    const { lines, paymentsByAmount, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = lines.day.at(line);
    return paymentsByAmount.find([cents, lines.currency.at(line)], day - to, day - from);
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
    const { paymentState } = this.#state;
    return this.#listPossiblePayments(line).every(
      (other) => other === payment || paymentState[other] !== ROW_EXPLAINED,
    );
  }

  #getAmount(line: number): readonly [cents: number, currency: number] {
    const { amountCents, currency } = this.#state.lines;
    return [amountCents.at(line), currency.at(line)];
  }
}
