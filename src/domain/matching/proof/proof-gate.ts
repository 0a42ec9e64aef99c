import type { CustomerNames } from '../indexes/customer-names.ts';
import { PAYOUT_ROW, REFUND_ROW } from '../indexes/payments.ts';
import type { CandidateCounts } from '../state/candidate-counts.ts';
import type { MatchDraft, MatchGate, MatchState } from '../state/match-state.ts';
import { AnonymousLines } from './anonymous-lines.ts';
import { ForeignNumbers } from './foreign-numbers.ts';
import { IdProof } from './id-proof.ts';
import { LineWords } from './line-words.ts';
import { type NameRelation, nameRelations } from './name-relation.ts';
import { PayerNames } from './payer-names.ts';
import { PayoutProof } from './payout-proof.ts';
import { RivalLines } from './rival-lines.ts';
import type { SeedPairs } from './seed-pairs.ts';

const OTHER_PAYER = 'the line names another payer';
const OTHER_ID = 'the line contains the id of another payment';
const OTHER_CURRENCY = 'a line in another currency quotes the id of the payment';
const MAY_NAME_OTHER = 'the line may name another payer';
const PAYS_FOR_OTHER = 'the text may name the customer of another payment of the amount';
const MAY_BE_CHARGEBACK = 'the line states a chargeback, and another line may be the refund';
const MONEY_RETURNED = 'the text states that money is sent back';
const NOT_PROVED_BY_NAME = 'the name in the line is no proof of the customer';

/** Maximum number of payments whose sum a line may have by coincidence. Chosen by judgment. */
const MAX_SMALL_SUM = 4;
const NOT_COMPARED = -2;

/**
 * Decides whether a proposed match is proved. Every automatic confirmation passes this gate. A match is proved only if
 * nothing in its lines contradicts it and no other assignment agrees with the evidence.
 */
export class ProofGate implements MatchGate {
  readonly #state: MatchState;
  readonly #names: CustomerNames;
  readonly #payers: PayerNames;
  readonly #words: LineWords;
  readonly #ids: IdProof;
  readonly #foreignNumbers: ForeignNumbers;
  readonly #rivals: RivalLines;
  /** Per line: payment with which it was last compared, and the index of the relation. Most pairs are compared often. */
  readonly #comparedPayment: Int32Array;
  readonly #relation: Int8Array;
  #anonymous: AnonymousLines | null = null;
  #payouts: PayoutProof | null = null;

  constructor(state: MatchState, names: CustomerNames, seeds: SeedPairs) {
    this.#state = state;
    this.#names = names;
    this.#comparedPayment = new Int32Array(state.lines.length).fill(NOT_COMPARED);
    this.#relation = new Int8Array(state.lines.length);
    this.#payers = new PayerNames(state, names, seeds);
    this.#words = new LineWords(state, names, seeds);
    this.#ids = new IdProof(state, seeds, {
      relate: (line, payment) => this.relate(line, payment),
      prefersName: (line, payment, other) => this.#prefersName(line, payment, other),
    });
    this.#foreignNumbers = new ForeignNumbers(state);
    this.#rivals = new RivalLines(state, {
      namesNobody: (line) => this.#namesNobody(line),
      namesCustomer: (line, payment) => this.namesCustomer(line, payment),
    });
  }

  /** Measures what lines that name nobody prove. Called after the passes by id and by name. */
  measureAnonymousLines(counts: CandidateCounts): void {
    this.#anonymous = new AnonymousLines(this.#state, counts, (line) => this.#namesNobody(line));
  }

  #namesNobody(line: number): boolean {
    return !this.#payers.namesPayer(line) && !this.#words.hasUnexplainedWord(line, -1);
  }

  /** Returns the reason why a match is not proved; null if it is. */
  findObjection(draft: MatchDraft): string | null {
    if (draft.payments.length === 0 && draft.reversedPayment === undefined) return null;
    if (draft.payments.some((row) => this.#state.payments.rowType.at(row) === PAYOUT_ROW))
      return this.#judgePayout(draft);
    switch (draft.rule) {
      case 'gateway-id':
      case 'payout-reference':
      case 'id-in-text':
        return this.#judgeIds(draft);
      case 'reversal':
        return this.#judgeReversal(draft);
      case 'payee':
        return this.#judgePayee(draft);
      case 'amount-date':
        return this.#judgeAmount(draft);
      default:
        return this.#judgeSum(draft);
    }
  }

  /** Returns true if the text of a line contains a part of the name of a payment's customer and none of another's. */
  #prefersName(line: number, payment: number, other: number): boolean {
    return (
      this.#words.namesCustomerOfOther(line, other, payment) &&
      !this.#words.namesCustomerOfOther(line, payment, other)
    );
  }

  /** Returns the closest relation of the payer, in its own field or else in the text, to a payment's customer. */
  relate(line: number, payment: number): NameRelation | null {
    if (this.#comparedPayment[line] !== payment) {
      this.#comparedPayment[line] = payment;
      this.#relation[line] = nameRelations.indexOf(this.#compareNames(line, payment));
    }
    return nameRelations[this.#relation[line] as number] as NameRelation | null;
  }

  #compareNames(line: number, payment: number): NameRelation | null {
    const relation = this.#payers.relate(line, payment);
    if (relation !== null) return relation;
    const inText = this.#findCompleteNames(line, payment);
    if (inText === 'own' && this.#namesInText(line, payment)) return 'same';
    // The text may contain the name of another customer as the beginning of a longer name.
    return inText === 'other' && this.#words.hasOtherNameWord(line, payment) ? 'different' : null;
  }

  #namesInText(line: number, payment: number): boolean {
    return this.#words.containsCompleteName(line, payment) && !this.#words.hasUnexplainedWord(line, payment);
  }

  findRivalObjection(line: number, payment: number): string | null {
    return this.#rivals.findObjection(line, payment, this.#payers.mayBeCutAtSpace(line, payment));
  }

  estimateSlipRate(line: number): number {
    return this.#ids.estimateSlipRate(line);
  }

  findQuotedKind(line: number, payment: number): number {
    return this.#ids.findQuotedKind(line, payment);
  }

  /** Returns true if a line names the customer in full. A customer with a longer name is not meant. */
  namesCustomer(line: number, payment: number): boolean {
    return this.relate(line, payment) === 'same';
  }

  /** Returns true if the payer whom a line names is not the customer of a payment. */
  namesOther(line: number, payment: number): boolean {
    return this.relate(line, payment) === 'different';
  }

  /** Returns true if a line names another company, whose name extends the customer's name. */
  namesOtherCompany(line: number, payment: number): boolean {
    return this.#payers.extendsName(line, payment);
  }

  #judgeIds({ lines, payments }: MatchDraft): string | null {
    for (const line of lines) {
      // One line may pay for several customers if it names one of them, complete or in part.
      const isForOthers = lines.length === 1 && payments.some((row) => this.#mayName(line, row));
      const namesOther = payments.some((row) => this.#namesOtherPayer(line, row));
      if (namesOther && (!isForOthers || payments.length === 1)) return OTHER_PAYER;
    }
    if (lines.length > 1 || payments.length > 1)
      return this.#ids.judgeGroup(lines, payments, (line, row) => this.namesCustomer(line, row));
    return this.#judgeIdPair(lines[0] as number, payments[0] as number);
  }

  #judgeIdPair(line: number, payment: number): string | null {
    if (this.#mayBeChargeback(line, payment)) return MAY_BE_CHARGEBACK;
    const relation = this.relate(line, payment);
    if (relation === null && !this.#ids.quotesCode(line, payment)) {
      if (this.#words.mayNameStranger(line, payment)) return MAY_NAME_OTHER;
      if (this.#ids.quotesShortNumber(line, payment) && this.#words.hasUnexplainedWord(line, payment))
        return 'the number may be no id';
    }
    return this.#ids.judgePair(line, payment, relation);
  }

  #mayName(line: number, payment: number): boolean {
    const relation = this.relate(line, payment);
    return relation === 'same' || relation === 'compatible';
  }

  /** Returns true if a line names a payer, or seems to name one, who is not the customer of a payment. */
  #namesOtherPayer(line: number, payment: number): boolean {
    const relation = this.relate(line, payment);
    return relation === 'different' || (relation !== 'same' && this.#words.namesOtherPayer(line, payment));
  }

  #judgeReversal({ lines, payments, reversedPayment }: MatchDraft): string | null {
    const line = lines[0] as number;
    const reversed = reversedPayment ?? -1;
    for (const payment of [...payments, reversed]) {
      if (payment === -1) continue;
      if (this.namesOther(line, payment)) return OTHER_PAYER;
      if (this.#mayBeChargeback(line, payment)) return MAY_BE_CHARGEBACK;
    }
    return this.#ids.judgeReversal(line, reversed);
  }

  #judgePayee({ lines, payments }: MatchDraft): string | null {
    const [line, payment] = [lines[0] as number, payments[0] as number];
    const relation = this.relate(line, payment);
    if (relation === 'different') return OTHER_PAYER;
    if (this.#ids.contradicts(line, payment)) return OTHER_ID;
    if (this.#state.lines.evidence.quotedInOtherCurrency.has(payment)) return OTHER_CURRENCY;
    if (this.#rivals.isRepeated(line)) return 'another line has the same date, amount and text';
    if (this.#isMoneyReturned(line)) return MONEY_RETURNED;
    if (this.#foreignNumbers.mayBeUnknownId(line, payment))
      return 'the line may contain the id of another payment';
    if (relation === 'same') return this.#mayPayForOther(line, payment) ? PAYS_FOR_OTHER : null;
    if (!this.#ids.namesSubscription(line, payment)) return NOT_PROVED_BY_NAME;
    if (this.#words.namesOtherPayer(line, payment)) return OTHER_PAYER;
    return this.#ids.judgeSubscription(line, payment);
  }

  #judgeAmount({ lines, payments }: MatchDraft): string | null {
    const [line, payment] = [lines[0] as number, payments[0] as number];
    const relation = this.relate(line, payment);
    if (relation === 'different') return OTHER_PAYER;
    if (this.#isMoneyReturned(line)) return MONEY_RETURNED;
    if (relation === 'same') return null;
    if (relation === 'compatible' || this.#payers.namesPayer(line)) return NOT_PROVED_BY_NAME;
    if (this.#state.lines.evidence.quotedInOtherCurrency.has(payment)) return OTHER_CURRENCY;
    if (this.#words.containsOwnNameWord(line, payment)) return NOT_PROVED_BY_NAME;
    if (this.#words.hasUnexplainedWord(line, payment)) return MAY_NAME_OTHER;
    if (this.#foreignNumbers.has(line, payment)) return 'the line may contain the id of another payment';
    if (this.#ids.quotesReadableNumber(line, payment)) return 'the number may be a date or an amount';
    if (this.#anonymous?.mayBeStranger(line, payment) === true)
      return 'the line names nobody, so it may belong to no payment';
    const isRefund = this.#state.payments.rowType.at(payment) === REFUND_ROW;
    if (isRefund && !this.#state.lines.isProcessorLine(line) && !this.#words.statesRefund(line))
      return 'nothing in the line states that money is returned';
    if (isRefund && this.#ids.mayReverseOther(line, payment)) return 'the line may take back another payment';
    return null;
  }

  /** Returns true if the text beside the payer's field names the customer of another open payment of the amount. */
  #mayPayForOther(line: number, payment: number): boolean {
    if (!this.#payers.namesPayer(line) || !this.#words.hasOtherNameWord(line, payment)) return false;
    return this.#rivals.someOtherPayment(line, payment, (other) =>
      this.#words.namesCustomerOfOther(line, payment, other),
    );
  }

  /** Returns true if a line states a chargeback but quotes a refund's payment, and another open line may be the refund. */
  #mayBeChargeback(line: number, refund: number): boolean {
    if (this.#state.payments.rowType.at(refund) !== REFUND_ROW || !this.#words.statesChargeback(line))
      return false;
    return this.#rivals.someOther(
      line,
      refund,
      (other) =>
        !this.#words.statesChargeback(other) &&
        !this.namesOther(other, refund) &&
        !this.#ids.contradicts(other, refund),
    );
  }

  #isMoneyReturned(line: number): boolean {
    return this.#state.lines.openCents.at(line) > 0 && this.#words.statesReturn(line);
  }

  #judgePayout({ lines, payments, rule }: MatchDraft): string | null {
    const [line, payout] = [lines[0] as number, payments[0] as number];
    const { payouts } = this.#state;
    if (!payouts.balances(payouts.indexOfPayment(payout), this.#state.lines))
      return 'the payout’s lines do not add up to the stated amount';
    if (rule === 'payout-reference') return null;
    this.#payouts ??= new PayoutProof(this.#state);
    if (this.#payouts.hasAlternative(line, payout)) return 'another payout or deposit has the same amount';
    return this.#state.lines.isDeposit.at(line) === 0 && this.#payers.namesPayer(line) ? OTHER_PAYER : null;
  }

  #judgeSum({ lines, payments }: MatchDraft): string | null {
    const line = lines[0] as number;
    if (this.#state.lines.isDeposit.at(line) === 1) return null;
    const hasName = this.#payers.namesPayer(line) || this.#findCompleteNames(line, -1) !== null;
    if (hasName) return 'the line names a payer';
    return payments.length <= MAX_SMALL_SUM && this.#rivals.mayReplacePart(line, payments)
      ? 'another payment has the amount of one of these payments'
      : null;
  }

  /** Returns whose complete name is in a line: the customer's own, another customer's, or null for nobody's. */
  #findCompleteNames(line: number, payment: number): 'own' | 'other' | null {
    const { lines, payments } = this.#state;
    const ownKeys = payment === -1 ? [] : this.#names.getKeys(payments.customer.at(payment));
    let found: 'other' | null = null;
    for (let at = lines.nameKeysFrom.at(line); at < lines.nameKeysFrom.at(line + 1); at++) {
      const key = lines.nameKeys.at(at);
      if (this.#names.isCompleteName.at(key) === 0) continue;
      if (ownKeys.includes(key) && this.#names.isDistinctive(key)) return 'own';
      if (this.#names.wordCount.at(key) > 1 && this.#names.isDistinctive(key)) found = 'other';
    }
    return found;
  }
}
