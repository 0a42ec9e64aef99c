import type { CalendarDate, Cents } from '../../ledger/index.ts';
import type { SignRule } from '../model/profile.ts';
import { type AmountPart, type AmountRules, applySignRule } from './amount-rules.ts';
import type { Direction } from './direction-words.ts';

/** Amounts of one line as written. */
export interface RawLineAmounts {
  readonly location: string;
  readonly date: CalendarDate;
  /** Account and currency of the line. Running balances are followed per key. */
  readonly key: string;
  /** Amounts as written; empty if the row states a balance but moves no money. */
  readonly parts: readonly AmountPart[];
  readonly fee: Cents;
  readonly balance: Cents | null;
  /** Text of the direction column if its direction is unknown; otherwise empty. */
  readonly unknownDirection: string;
  /** True if the text thanks for a payment, as on the statement of a credit card. */
  readonly isBillPayment: boolean;
}

/** A combination of rules with the number of running balances that agree with it. */
export interface AmountRulesScore {
  readonly rules: AmountRules;
  /** Number of stated balances that follow from the previous one, in the order of the dates. */
  readonly score: number;
  readonly sum: Cents;
}

const SIGNS: readonly SignRule[] = ['signed', 'unsigned', 'reversal', 'inverted'];
const FEE_FACTORS: readonly AmountRules['feeFactor'][] = [0, -1, 1];
/** Maximum number of examples that are stored for a question. */
const MAX_EXAMPLES = 3;

interface RunningTotal {
  balance: Cents | null;
  /**
   * Per combination of rules, in cents: `after` is the effect of the lines after the last balance. `from` also includes
   * the line that states this balance.
   */
  readonly effects: { after: Cents; from: Cents }[];
}

/** Collects which sign and fee rules are consistent with the amounts and balances of a table. */
export class AmountSurvey {
  /** Number of amounts by direction (`out`, `in` or `none`) and sign. Zero amounts are not counted. */
  readonly counts = { out: { plus: 0, minus: 0 }, in: { plus: 0, minus: 0 }, none: { plus: 0, minus: 0 } };
  readonly fees = { plus: 0, minus: 0 };
  /** Number of balances that can be compared with a previous one. */
  gaps = 0;
  /** Number of amounts without a direction that are negative although the text thanks for a payment. */
  negativeBillPayments = 0;
  readonly unknownDirections = new Set<string>();
  readonly feeExamples: RawLineAmounts[] = [];
  /** Lines whose sign contradicts the direction of their column. */
  readonly signExamples: RawLineAmounts[] = [];
  readonly #tallies = SIGNS.flatMap((signs) =>
    FEE_FACTORS.map((feeFactor) => ({ rules: { signs, feeFactor }, downward: 0, upward: 0, sum: 0 })),
  );
  #lastKey = '\n';
  /** Dates of the first and the last line. */
  #dates: readonly [first: CalendarDate, last: CalendarDate] = ['', ''];
  readonly #running = new Map<string, RunningTotal>();
  readonly #votes = {
    downward: new Map<string, DirectionVotes>(),
    upward: new Map<string, DirectionVotes>(),
  };
  readonly #previous = new Map<string, RawLineAmounts>();

  add(added: RawLineAmounts): void {
    const line = this.#completeKey(added);
    this.#dates = [this.#dates[0] || line.date, line.date];
    for (const part of line.parts) this.#countSign(part, line);
    if (line.fee !== 0) {
      this.fees[line.fee > 0 ? 'plus' : 'minus']++;
      if (this.feeExamples.length < MAX_EXAMPLES) this.feeExamples.push(line);
    }
    if (line.unknownDirection !== '') this.unknownDirections.add(line.unknownDirection);
    this.#followBalance(line);
  }

  /** Discards the last balance, because a row between this balance and the next one could not be read. */
  interrupt(): void {
    this.#running.clear();
    this.#previous.clear();
  }

  listScores(): AmountRulesScore[] {
    return this.#tallies.map(({ rules, downward, upward, sum }) => ({
      rules,
      score: this.#isAscending === null ? Math.max(downward, upward) : this.#isAscending ? downward : upward,
      sum,
    }));
  }

  /** Returns true if the dates rise from top to bottom; null if the first and the last date are the same. */
  get #isAscending(): boolean | null {
    const [first, last] = this.#dates;
    return first === last ? null : first < last;
  }

  /** Returns the directions of unknown direction texts that the running balances prove. */
  learnDirections(): Map<string, Direction> {
    const total = (votes: ReadonlyMap<string, DirectionVotes>) =>
      [...votes.values()].reduce((sum, { in: incoming, out }) => sum + Math.max(incoming, out), 0);
    const { downward, upward } = this.#votes;
    const learned = new Map<string, Direction>();
    const isAscending = this.#isAscending ?? total(downward) >= total(upward);
    for (const [text, votes] of isAscending ? downward : upward)
      if (votes.in === 0 || votes.out === 0) learned.set(text, votes.in > 0 ? 'in' : 'out');
    return learned;
  }

  #countSign({ value, direction }: AmountPart, line: RawLineAmounts): void {
    if (value === 0) return;
    const side = direction === 0 ? 'none' : direction > 0 ? 'in' : 'out';
    this.counts[side][value > 0 ? 'plus' : 'minus']++;
    if (side === 'none' && value < 0 && line.isBillPayment) this.negativeBillPayments++;
    const isUnusual = value < 0 && (side !== 'none' || line.isBillPayment);
    if (isUnusual && this.signExamples.length < MAX_EXAMPLES) this.signExamples.push(line);
  }

  #followBalance(line: RawLineAmounts): void {
    const running = this.#getRunning(line.key);
    const change = running.balance === null || line.balance === null ? null : line.balance - running.balance;
    if (change !== null) this.gaps++;
    this.#tallies.forEach((tally, at) => {
      const effect = computeBalanceEffect(line, tally.rules);
      const { after, from } = running.effects[at] ?? { after: 0, from: 0 };
      tally.sum += effect;
      if (after + effect === change) tally.downward++;
      if (change !== null && from + change === 0) tally.upward++;
      running.effects[at] =
        line.balance === null ? { after: after + effect, from: from + effect } : { after: 0, from: effect };
    });
    if (line.unknownDirection !== '' || this.unknownDirections.size > 0) this.#vote(line, running.balance);
    if (line.balance !== null) running.balance = line.balance;
    this.#previous.set(line.key, line);
  }

  #getRunning(key: string): RunningTotal {
    const known = this.#running.get(key);
    if (known !== undefined) return known;
    const created: RunningTotal = { balance: null, effects: [] };
    this.#running.set(key, created);
    return created;
  }

  /** A row with a balance often names no currency. Such a row belongs to the account of the adjacent row. */
  #completeKey(line: RawLineAmounts): RawLineAmounts {
    const unnamed = this.#running.get('\n');
    if (line.key === '\n') return { ...line, key: this.#lastKey };
    if (unnamed !== undefined) this.#running.set(line.key, unnamed).delete('\n');
    const previous = this.#previous.get('\n');
    if (previous !== undefined) this.#previous.set(line.key, previous).delete('\n');
    this.#lastKey = line.key;
    return line;
  }

  /** Counts a line as incoming or outgoing by the change of the balance from the previous line. */
  #vote(line: RawLineAmounts, balance: Cents | null): void {
    const previous = this.#previous.get(line.key);
    if (balance === null || line.balance === null || previous?.balance == null) return;
    castVote(this.#votes.downward, line, line.balance - previous.balance);
    castVote(this.#votes.upward, previous, previous.balance - line.balance);
  }
}

interface DirectionVotes {
  in: number;
  out: number;
}

function castVote(votes: Map<string, DirectionVotes>, line: RawLineAmounts, change: Cents): void {
  const [part] = line.parts;
  if (line.unknownDirection === '' || part === undefined || Math.abs(part.value) !== Math.abs(change)) return;
  const counted = votes.get(line.unknownDirection) ?? { in: 0, out: 0 };
  if (change !== 0) counted[change > 0 ? 'in' : 'out']++;
  votes.set(line.unknownDirection, counted);
}

/** Returns the effect of a line on the balance under these rules, in cents. */
export const computeBalanceEffect = (
  { parts, fee }: RawLineAmounts,
  { signs, feeFactor }: AmountRules,
): Cents => parts.reduce((sum, part) => sum + applySignRule(part, signs), 0) + fee * feeFactor;
