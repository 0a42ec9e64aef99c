import { resemblesDate } from '../indexes/number-forms.ts';
import {
  PAYMENT_ID,
  PAYOUT_ROW,
  STATEMENT_ID,
  SUBSCRIPTION_ID,
  TRANSACTION_ID,
} from '../indexes/payments.ts';
import { RowsByAmount } from '../indexes/rows-by-amount.ts';
import { type MatchState, ROW_EXPLAINED } from '../state/match-state.ts';
import type { NameRelation } from './name-relation.ts';
import { indexMentions, type SeedPairs } from './seed-pairs.ts';
import { SlipRates } from './slip-rates.ts';
import { isSlip } from './slips.ts';

/** Maximum probability that a slip turned another payment's id into the quoted one. Chosen by judgment. */
const MAX_SLIP_RISK = 1e-5;
/** Number of wrong digits that a slip can produce at one position of an id. */
const WRONG_DIGITS = 9;
/** Range of lags in days of a line that quotes an id and names the customer. Chosen by judgment. */
const NAMED_LAG_DAYS = { from: -10, to: 60 };

/** Kinds of ids that are numbers. */
const NUMBER_KINDS = [TRANSACTION_ID, PAYMENT_ID, STATEMENT_ID];

/** Range of lags in days from a payment to a line that takes it back. Chosen by judgment. */
export const REVERSAL_LAG_DAYS = { from: -10, to: 120 };
/** Smallest number that hardly any other number in a text equals by chance. Chosen by judgment. */
const MIN_LONG_ID = 1_000_000;

const OTHER_ID = 'the line contains the id of another payment';
const TOO_FAR = 'the dates are unusually far apart, so the number may be a typing error';

/** Comparisons of the names in a line with the customers of payments. */
interface LineNames {
  /** Returns the relation of the payer whom a line names to the customer of a payment. */
  relate(line: number, payment: number): NameRelation | null;
  /** Returns true if the text of a line contains a part of the name of a payment's customer and none of another's. */
  prefersName(line: number, payment: number, other: number): boolean;
}

/** Decides whether the ids that lines quote prove a match. */
export class IdProof {
  readonly #state: MatchState;
  readonly #mentionsFrom: Int32Array;
  readonly #unclaimed: RowsByAmount;
  readonly #slipRates: SlipRates;
  readonly #names: LineNames;

  constructor(state: MatchState, seeds: SeedPairs, names: LineNames) {
    this.#state = state;
    this.#names = names;
    this.#mentionsFrom = indexMentions(state.lines.evidence.mentions, state.lines.length);
    const { rowType } = state.payments;
    this.#unclaimed = new RowsByAmount(
      state.payments,
      (row) => rowType.at(row) !== PAYOUT_ROW && seeds.isClaimed[row] === 0,
    );
    this.#slipRates = new SlipRates(state, seeds, (line, value) => this.#isSlipOfUnclaimed(line, value));
  }

  estimateSlipRate(line: number): number {
    return this.#slipRates.estimate(line);
  }

  /** Returns the objection to a line and a payment whose id it quotes; null if there is none. */
  judgePair(line: number, payment: number, relation: NameRelation | null): string | null {
    const state = this.#state;
    const isNamed = relation === 'same';
    const quoted = this.#listQuotedIds(line, payment);
    if (this.#quotesOtherPayment(line, [payment])) return OTHER_ID;
    if (quoted.isCode) return null;
    if (!this.#isNear(line, payment, relation !== null)) return TOO_FAR;
    if (!state.isInRange('usual', line, payment) && this.#hasPaymentInTime(line, payment, isNamed))
      return 'another payment of the customer fits the date better';
    if (relation === 'compatible' && this.#hasPaymentOfNamed(line, payment))
      return 'the line names the customer of another payment of the amount';
    if (
      !isNamed &&
      quoted.mentions.every((at) => this.#resemblesDate(line, at)) &&
      this.#hasOtherUnclaimed(line, payment)
    )
      return 'the number may be a date';
    const cents = state.lines.openCents.at(line);
    return this.#findSlip(
      { line, payment, cents },
      quoted.mentions,
      (other) =>
        this.#isExcludedByName(line, other, isNamed) || this.#names.prefersName(line, payment, other),
    );
  }

  /** Returns the objection to a line that quotes the number of a payment's subscription; null if there is none. */
  judgeSubscription(line: number, payment: number): string | null {
    const { mentions } = this.#state.lines.evidence;
    const quoted = this.#listMentions(line).filter(
      (at) => mentions.payment.at(at) === payment && mentions.kind.at(at) === SUBSCRIPTION_ID,
    );
    const cents = this.#state.lines.openCents.at(line);
    return this.#findSlip({ line, payment, cents }, quoted, (other) =>
      this.#isExcludedByName(line, other, false),
    );
  }

  /** Returns true if the payer is not the customer of a payment. A payer named in full is no other customer. */
  #isExcludedByName(line: number, payment: number, isNamed: boolean): boolean {
    const relation = this.#names.relate(line, payment);
    return relation === 'different' || (isNamed && relation !== 'same');
  }

  /** Returns true if the line names in full the customer of another unclaimed payment of its amount. */
  #hasPaymentOfNamed(line: number, payment: number): boolean {
    const cents = this.#state.lines.openCents.at(line);
    return this.#someUnclaimed(
      line,
      cents,
      (other) => other !== payment && this.#names.relate(line, other) === 'same',
    );
  }

  #namesOther(line: number, payment: number): boolean {
    return this.#names.relate(line, payment) === 'different';
  }

  /**
   * Returns the objection to one line with several payments whose ids it quotes, or one payment with several lines.
   * `isNamed` returns true if a line names the customer of a payment in full.
   */
  judgeGroup(
    lines: readonly number[],
    payments: readonly number[],
    isNamed: (line: number, payment: number) => boolean,
  ): string | null {
    for (const line of lines) {
      if (this.#quotesOtherPayment(line, payments)) return OTHER_ID;
      for (const payment of payments) {
        const objection = this.#judgeMember(line, payment, payments, isNamed(line, payment));
        if (objection !== null) return objection;
      }
    }
    return null;
  }

  /** Returns the objection to one line and one payment of a group; null if there is none. */
  #judgeMember(line: number, payment: number, members: readonly number[], isNamed: boolean): string | null {
    const quoted = this.#listQuotedIds(line, payment, true);
    if (quoted.isCode) return null;
    if (quoted.mentions.length === 0) return 'the line does not contain the ids of all payments';
    if (!this.#isNear(line, payment, isNamed)) return TOO_FAR;
    const cents = this.#state.payments.openCents.at(payment);
    // A payer may pay for others, so the name of another customer excludes no payment.
    return this.#findSlip(
      { line, payment, cents },
      quoted.mentions,
      (other) => members.includes(other) || (isNamed && this.#names.relate(line, other) !== 'same'),
    );
  }

  /** Returns the objection to a line that takes back the payment whose id it quotes; null if there is none. */
  judgeReversal(line: number, payment: number): string | null {
    const { lines, payments, paymentsByAmount } = this.#state;
    if (payment === -1) return null;
    const { reversals } = lines.evidence;
    const slipRate = this.#slipRates.estimate(line);
    const amount = [payments.amountCents.at(payment), payments.currency.at(payment)] as const;
    const day = lines.day.at(line);
    for (let at = 0; at < reversals.line.length; at++) {
      if (reversals.line.at(at) !== line || reversals.payment.at(at) !== payment) continue;
      const value = reversals.value.at(at);
      if (value === -1) return null;
      let slips = 0;
      for (const other of paymentsByAmount.find(
        amount,
        day - REVERSAL_LAG_DAYS.to,
        day - REVERSAL_LAG_DAYS.from,
      ))
        if (
          other !== payment &&
          isSlip(value, this.#getId(other, reversals.kind.at(at))) &&
          !this.#namesOther(line, other)
        )
          slips++;
      if (isTooRisky(slips, slipRate, value)) return describeSlips(slips);
    }
    return null;
  }

  /** Returns true if a line quotes the id of another payment that is no slip of this payment's id. */
  contradicts(line: number, payment: number): boolean {
    const { mentions } = this.#state.lines.evidence;
    return this.#listMentions(line).some((at) => {
      if (mentions.payment.at(at) === payment || !this.#isTrustedId(at)) return false;
      const value = mentions.value.at(at);
      return !NUMBER_KINDS.some((kind) => {
        const id = this.#getId(payment, kind);
        return id === value || isSlip(value, id);
      });
    });
  }

  /** Returns true if a line quotes an id of the payment that may as well be a date or an amount. */
  quotesReadableNumber(line: number, payment: number): boolean {
    const { mentions, positions } = this.#state.lines.evidence;
    return this.#listMentions(line).some(
      (at) =>
        mentions.payment.at(at) === payment &&
        mentions.kind.at(at) <= STATEMENT_ID &&
        positions.isReadable(mentions.position.at(at)),
    );
  }

  /** Returns true if a line quotes the payment only by short numbers in positions in which hardly any other line has ids. */
  quotesShortNumber(line: number, payment: number): boolean {
    const { mentions, positions } = this.#state.lines.evidence;
    const isShort = (at: number): boolean =>
      mentions.value.at(at) < MIN_LONG_ID && !positions.isUsual(mentions.position.at(at));
    return this.#listQuotedIds(line, payment).mentions.every(isShort);
  }

  /** Returns the kind of the id by which a line quotes a payment in a match of several rows; -1 if it quotes none. */
  findQuotedKind(line: number, payment: number): number {
    const [first] = this.#listQuotedIds(line, payment, true).mentions;
    return first === undefined ? -1 : this.#state.lines.evidence.mentions.kind.at(first);
  }

  /** Returns true if a line quotes an id with letters, which no other number or word equals. */
  quotesCode(line: number, payment: number): boolean {
    return this.#listQuotedIds(line, payment).isCode;
  }

  /** Returns true if an outgoing line has the amount of a payment other than the one that the refund refunds. */
  mayReverseOther(line: number, refund: number): boolean {
    const { lines, payments, paymentsByAmount } = this.#state;
    const amount = [-lines.openCents.at(line), lines.currency.at(line)] as const;
    const day = lines.day.at(line);
    for (const other of paymentsByAmount.find(amount, day - REVERSAL_LAG_DAYS.to, day))
      if (payments.id.at(other) !== payments.paymentId.at(refund)) return true;
    return false;
  }

  /** Returns true if the line contains the number of the payment's subscription. */
  namesSubscription(line: number, payment: number): boolean {
    const { mentions, positions } = this.#state.lines.evidence;
    return this.#listMentions(line).some(
      (at) =>
        mentions.payment.at(at) === payment &&
        mentions.kind.at(at) === SUBSCRIPTION_ID &&
        positions.containsIds(mentions.position.at(at), SUBSCRIPTION_ID),
    );
  }

  #listMentions(line: number): number[] {
    const from = this.#mentionsFrom[line] as number;
    return Array.from({ length: (this.#mentionsFrom[line + 1] as number) - from }, (_, at) => from + at);
  }

  /** Returns the mentions of a payment's ids by a line that are trusted, or that may be ids of a part of a match. */
  #listQuotedIds(line: number, payment: number, isPart = false): { isCode: boolean; mentions: number[] } {
    const { mentions } = this.#state.lines.evidence;
    const quoted = this.#listMentions(line).filter(
      (at) => mentions.payment.at(at) === payment && (isPart ? this.#mayBeId(at) : this.#isTrustedId(at)),
    );
    return { isCode: quoted.some((at) => mentions.value.at(at) === -1), mentions: quoted };
  }

  /** Returns true if a number may be an id. The amounts of a part and of its match differ, so they are not compared. */
  #mayBeId(at: number): boolean {
    const { mentions, positions } = this.#state.lines.evidence;
    return mentions.kind.at(at) <= STATEMENT_ID && positions.containsPossibleIds(mentions.position.at(at));
  }

  #isTrustedId(at: number): boolean {
    const { mentions, positions } = this.#state.lines.evidence;
    const kind = mentions.kind.at(at);
    return kind <= STATEMENT_ID && positions.containsIds(mentions.position.at(at), kind);
  }

  /** Returns true if a line quotes another number, which is the id of a payment outside the match. */
  #quotesOtherPayment(line: number, members: readonly number[]): boolean {
    const { mentions } = this.#state.lines.evidence;
    const trusted = this.#listMentions(line).filter((at) => this.#isTrustedId(at));
    if (trusted.length < 2) return false;
    const isMember = (at: number): boolean => members.includes(mentions.payment.at(at));
    const own = new Set(trusted.filter(isMember).map((at) => mentions.value.at(at)));
    return trusted.some((at) => !isMember(at) && !own.has(mentions.value.at(at)));
  }

  #isNear(line: number, payment: number, isNamed: boolean): boolean {
    const lag = this.#state.getLagDays(line, payment);
    return isNamed
      ? lag >= NAMED_LAG_DAYS.from && lag <= NAMED_LAG_DAYS.to
      : this.#state.isInRange('candidate', line, payment);
  }

  #resemblesDate(line: number, mention: number): boolean {
    const { evidence, day } = this.#state.lines;
    return resemblesDate(evidence.mentions.value.at(mention), day.at(line));
  }

  #hasOtherUnclaimed(line: number, payment: number): boolean {
    const cents = this.#state.lines.openCents.at(line);
    return this.#someUnclaimed(line, cents, (other) => other !== payment && !this.#namesOther(line, other));
  }

  /**
   * Returns true if an unclaimed payment of the amount arrived in the usual time: of the same customer or, if the line does
   * not name the customer in full, of anybody whom it may name.
   */
  #hasPaymentInTime(line: number, payment: number, isNamed: boolean): boolean {
    if (!isNamed) return this.#hasOtherUnclaimed(line, payment);
    const { payments, lines } = this.#state;
    const customer = payments.customer.at(payment);
    return this.#someUnclaimed(line, lines.openCents.at(line), (other) => {
      const isSame =
        payments.subscriptionId.at(other) === payments.subscriptionId.at(payment) ||
        (customer !== -1 && payments.customer.at(other) === customer);
      return other !== payment && isSame;
    });
  }

  /** Returns an objection if the quoted id may be a slip of the id of an unclaimed payment that nothing excludes. */
  #findSlip(
    { line, payment, cents }: { line: number; payment: number; cents: number },
    quoted: readonly number[],
    isExcluded: (other: number) => boolean,
  ): string | null {
    const { mentions } = this.#state.lines.evidence;
    const slipRate = this.#slipRates.estimate(line);
    let fewest = -1;
    for (const at of quoted) {
      const value = mentions.value.at(at);
      const kind = mentions.kind.at(at);
      let slips = 0;
      this.#someUnclaimed(line, cents, (other) => {
        if (other !== payment && isSlip(value, this.#getId(other, kind)) && !isExcluded(other)) slips++;
        return false;
      });
      if (!isTooRisky(slips, slipRate, value)) return null;
      fewest = fewest === -1 ? slips : Math.min(fewest, slips);
    }
    return describeSlips(fewest);
  }

  /** Returns true if a number may be a slip of the id of an unclaimed payment that has the line's amount. */
  #isSlipOfUnclaimed(line: number, value: number): boolean {
    const cents = this.#state.lines.openCents.at(line);
    return this.#someUnclaimed(line, cents, (other) =>
      NUMBER_KINDS.some((kind) => isSlip(value, this.#getId(other, kind))),
    );
  }

  /** Returns true if a test holds for an open payment of an amount that no line names and whose money usually arrives in time. */
  #someUnclaimed(line: number, cents: number, test: (payment: number) => boolean): boolean {
    const { lines, arrivalWindows, paymentState } = this.#state;
    const range = arrivalWindows!.getRange('usual', lines.account.at(line));
    const day = lines.day.at(line);
    const unclaimed = this.#unclaimed.find(
      [cents, lines.currency.at(line)],
      day - range.to,
      day - range.from,
    );
    for (const payment of unclaimed)
      if (paymentState[payment] !== ROW_EXPLAINED && test(payment)) return true;
    return false;
  }

  #getId(payment: number, kind: number): number {
    const { id, paymentId, statementId, subscriptionId } = this.#state.payments;
    if (kind === STATEMENT_ID) return statementId.at(payment);
    if (kind === SUBSCRIPTION_ID) return subscriptionId.at(payment);
    return kind === TRANSACTION_ID ? id.at(payment) : paymentId.at(payment);
  }
}

/** Returns true if one of some neighboring ids is too likely meant by a quoted number. */
function isTooRisky(neighbors: number, slipRate: number, value: number): boolean {
  const digits = String(value).length;
  return (neighbors * slipRate) / (WRONG_DIGITS * digits) > MAX_SLIP_RISK;
}

const describeSlips = (count: number): string =>
  count === 1
    ? 'the number may be a typing error for the id of another payment'
    : `the number may be a typing error for the ids of ${count} other payments`;
