import { type Board, TAKEN } from '../board.ts';
import type { Payments } from '../rows/payments.ts';
import { endsStep, type Steps } from '../steps.ts';
import type { Counts } from './by-amount.ts';

/** An amount of which so many payments are to be expected within a line’s days is a common one. */
const COMMON = 0.5;
/** How many wrong matches may be expected of a run, at most, where a common amount and days alone decide. */
const RISK = 0.1;
/** A word of which so many lines, and so large a part of them, fit no payment is a stranger’s. */
const OFTEN = 2;
const STRANGE = 0.25;
/** So many lines must be explained before words that none of them has are strange as well; and words of more of the others than this are not. */
const ENOUGH = 50;
const SELDOM = 0.05;

export interface Sayings {
  /** 1: the line names, by an id or a name, something that is not the payment at hand. */
  readonly speaks: Uint8Array;
  readonly somebody: Uint8Array;
  /** Numbers of lines that stand where references do, and are nobody’s. */
  readonly strange: ReadonlyMap<number, readonly number[]>;
}

/**
 * Being the only one is proof only if the right one is there to be seen. What speaks against it: the line names something else; it is worded like
 * lines that no payment fits; it comes sooner or later than money does; or the amount is one of which both lines without a
 * payment and payments without a line are seen, so that two strangers may well meet.
 */
export class Doubts {
  readonly #board: Board;
  readonly #sayings: Sayings;
  readonly #places: ReadonlyMap<number, readonly number[]>;
  readonly #strangers: { strange: ReadonlySet<number>; unheard: ReadonlySet<number> };
  readonly #risky: Uint8Array;
  readonly #missing: Uint8Array;
  readonly #foreign: Uint8Array;
  readonly #amountOf: Int32Array;
  readonly #firstPayment: number;
  readonly #lastLine: Int32Array;

  static *of(board: Board, counts: Counts, sayings: Sayings): Steps<Doubts> {
    const places = unknownPlaces(board);
    yield;
    const seen = new Seen(board, counts);
    const strangers = yield* strangeFeatures(board, places, seen.alone);
    return new Doubts(board, counts, sayings, { places, strangers, seen });
  }

  private constructor(board: Board, counts: Counts, sayings: Sayings, { places, strangers, seen }: Known) {
    this.#board = board;
    this.#sayings = sayings;
    const { lines } = board;
    const { firstPayment, lastPayment, firstLine, lastLine, alone } = seen;
    this.#firstPayment = firstPayment;
    this.#lastLine = seen.lastLineOf;
    this.#places = places;
    this.#strangers = strangers;

    const amounts = counts.payments.shelves;
    const foreign = new Int32Array(amounts);
    const missing = new Int32Array(amounts);
    this.#amountOf = new Int32Array(lines.length).fill(-1);
    let widest = 1;
    for (let shelf = 0; shelf < amounts; shelf++) {
      for (let at = counts.lines.from(shelf); at < counts.lines.to(shelf); at++) {
        const row = counts.lines.rows[at] as number;
        const span = board.windows!.wide(lines.account.at(row));
        this.#amountOf[row] = shelf;
        widest = Math.max(widest, span.to - span.from + 1);
        if (alone(row) && !this.#has(row, this.#strangers.strange))
          foreign[shelf] = (foreign[shelf] as number) + 1;
      }
      for (let place = counts.payments.from(shelf); place < counts.payments.to(shelf); place++) {
        const day = counts.payments.days[place] as number;
        if ((counts.wanted[place] as number) === 0 && day >= firstLine && day + widest <= lastLine) {
          missing[shelf] = (missing[shelf] as number) + 1;
        }
      }
    }
    const days = Math.max(1, lastPayment - firstPayment + 1);
    const share = Math.min(1, widest / days);
    const common = (shelf: number): boolean => (counts.ofAmount[shelf] as number) * share >= COMMON;
    let [allForeign, allMissing, all] = [0, 0, 0];
    for (let shelf = 0; shelf < amounts; shelf++) {
      if (!common(shelf)) continue;
      allForeign += foreign[shelf] as number;
      allMissing += missing[shelf] as number;
      all += counts.ofAmount[shelf] as number;
    }
    this.#risky = new Uint8Array(amounts);
    this.#missing = new Uint8Array(amounts);
    this.#foreign = new Uint8Array(amounts);
    const risks = new Float64Array(amounts);
    for (let shelf = 0; shelf < amounts; shelf++) {
      if (!common(shelf)) continue;
      const part = (counts.ofAmount[shelf] as number) / Math.max(1, all);
      const strangers = Math.max(foreign[shelf] as number, allForeign * part);
      const gaps = Math.max(missing[shelf] as number, allMissing * part);
      risks[shelf] = strangers * gaps * share;
      if (gaps >= COMMON) this.#missing[shelf] = 1;
      if (strangers >= COMMON) this.#foreign[shelf] = 1;
    }
    const most = bearable(risks);
    for (const [shelf, risk] of risks.entries()) if (risk > most) this.#risky[shelf] = 1;
  }

  /** Why a line and a payment that are each other’s only candidates are not certain; null where nothing speaks against it. */
  of(line: number, payment: number): string | null {
    const { lines, payments } = this.#board;
    const account = lines.account.at(line);
    const { from, to } = this.#board.windows!.sure(account);
    const lag = this.#board.lag(line, payment);
    if (lag < from || lag > to) return 'the days are further apart than usual';
    const { speaks, somebody, strange } = this.#sayings;
    if (speaks[line] === 1) return 'the line names another payment by its id';
    if (somebody[line] === 1) return 'the line names another customer';
    if (refersElsewhere(payments, strange.get(line), payment)) return STRANGE_REFERENCE;
    const { strange: worded, unheard } = this.#strangers;
    if (this.#has(line, worded)) return 'the line is worded like others that no payment fits';
    const shelf = this.#amountOf[line] as number;
    if (this.#missing[shelf] === 1 && this.#has(line, unheard))
      return 'the line is worded like none that is explained';
    if (this.#risky[shelf] === 1)
      return 'lines without a payment and payments without a line are of this amount';
    const wide = this.#board.windows!.wide(account);
    if (this.#missing[shelf] === 1 && lines.day.at(line) - wide.to < this.#firstPayment) {
      return 'the line may be for a payment before the first that is held';
    }
    if (
      this.#foreign[shelf] === 1 &&
      payments.day.at(payment) + wide.to > (this.#lastLine[account] as number)
    ) {
      return 'the line of the payment may come after the last that is held';
    }
    return null;
  }

  #has(line: number, features: ReadonlySet<number>): boolean {
    for (const feature of featuresOf(this.#board, line, this.#places)) if (features.has(feature)) return true;
    return false;
  }
}

export const STRANGE_REFERENCE = 'the line has a reference that is no payment’s';

/** Whether a line has numbers where references stand that are nobody’s, and none is the payment’s id but for a slip: a digit wrong, two in turn, or cut off. */
export function refersElsewhere(
  payments: Payments,
  numbers: readonly number[] | undefined,
  payment: number,
): boolean {
  return numbers !== undefined && !numbers.some((number) => isAlike(payments, String(number), payment));
}

function isAlike(payments: Payments, said: string, payment: number): boolean {
  return [payments.id, payments.payment, payments.statement].some((column) => {
    const id = column.at(payment);
    return id > 0 && isSlip(said, String(id));
  });
}

interface Known {
  readonly places: ReadonlyMap<number, readonly number[]>;
  readonly strangers: { readonly strange: ReadonlySet<number>; readonly unheard: ReadonlySet<number> };
  readonly seen: Seen;
}

/** The days that payments and lines are of. */
class Seen {
  readonly firstPayment: number;
  readonly lastPayment: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** By account. */
  readonly lastLineOf: Int32Array;
  /** Whether no payment fits a line although such as might are held. */
  readonly alone: (row: number) => boolean;

  constructor(board: Board, counts: Counts) {
    const { lines, payments } = board;
    [this.firstPayment, this.lastPayment] = range(payments.length, (row) => payments.day.at(row));
    [this.firstLine, this.lastLine] = range(lines.length, (row) => lines.day.at(row));
    this.lastLineOf = new Int32Array(board.accounts.length).fill(-1e9);
    for (let row = 0; row < lines.length; row++) {
      const [day, account] = [lines.day.at(row), lines.account.at(row)];
      this.lastLineOf[account] = Math.max(this.lastLineOf[account] as number, day);
    }
    this.alone = (row) => {
      const span = board.windows!.wide(lines.account.at(row));
      const day = lines.day.at(row);
      return (
        counts.candidates[row] === 0 &&
        day - span.to >= this.firstPayment &&
        day - span.from <= this.lastPayment
      );
    };
  }
}

/** The places of numbers that are nobody’s, by line, of lines that are not explained. */
function unknownPlaces({ lines, lineState }: Board): ReadonlyMap<number, readonly number[]> {
  const { unknownLine, unknownPlace } = lines.evidence;
  const places = new Map<number, number[]>();
  for (let at = 0; at < unknownLine.length; at++) {
    const line = unknownLine.at(at);
    if (lineState[line] === TAKEN) continue;
    const of = places.get(line);
    if (of === undefined) places.set(line, [unknownPlace.at(at)]);
    else of.push(unknownPlace.at(at));
  }
  return places;
}

/** The greatest risk of one amount that may be taken, so that all that are no greater come to what may be borne. */
function bearable(risks: Float64Array): number {
  let [sum, most] = [0, 0];
  const sorted = risks.filter((risk) => risk > 0).sort();
  for (let at = 0; at < sorted.length; ) {
    const risk = sorted[at] as number;
    while (sorted[at] === risk) {
      sum += risk;
      at++;
    }
    if (sum > RISK) break;
    most = risk;
  }
  return most;
}

/** What a line is worded like: its words, and the places where it has numbers that are nobody’s. */
function* featuresOf(
  { lines }: Board,
  line: number,
  places: ReadonlyMap<number, readonly number[]>,
): Iterable<number> {
  for (let at = lines.wordsFrom.at(line); at < lines.wordsFrom.at(line + 1); at++) yield lines.words.at(at);
  for (const place of places.get(line) ?? []) yield placeFeature(place);
}

/** Told apart from hashes of words by its half. */
const placeFeature = (place: number): number => place + 0.5;

/** Features that stand mostly in lines no payment fits; and those that no line has whose payment is known, and few of the others. */
function* strangeFeatures(
  board: Board,
  places: ReadonlyMap<number, readonly number[]>,
  alone: (line: number) => boolean,
): Steps<Known['strangers']> {
  const { lines } = board;
  const seen = new Map<number, [all: number, alone: number]>();
  const heard = new Set<number>();
  let [explained, left, leftAlone] = [0, 0, 0];
  for (let line = 0; line < lines.length; line++) {
    if (endsStep(line)) yield;
    if (!lines.mayPay(line)) continue;
    if (board.lineState[line] === TAKEN) {
      explained++;
      for (let at = lines.wordsFrom.at(line); at < lines.wordsFrom.at(line + 1); at++)
        heard.add(lines.words.at(at));
      continue;
    }
    const isAlone = alone(line) ? 1 : 0;
    left++;
    leftAlone += isAlone;
    for (const feature of featuresOf(board, line, places)) {
      const counts = seen.get(feature);
      if (counts === undefined) {
        seen.set(feature, [1, isAlone]);
      } else {
        counts[0]++;
        counts[1] += isAlone;
      }
    }
  }
  const { unknownLine, unknownPlace } = lines.evidence;
  for (let at = 0; at < unknownLine.length; at++) {
    if (board.lineState[unknownLine.at(at)] === TAKEN) heard.add(placeFeature(unknownPlace.at(at)));
  }
  const usual = Math.max(STRANGE, (5 * leftAlone) / Math.max(1, left));
  const [strange, unheard] = [new Set<number>(), new Set<number>()];
  for (const [feature, [all, without]] of seen) {
    if (without >= OFTEN && without >= all * Math.min(usual, 0.6)) strange.add(feature);
    if (explained >= ENOUGH && all <= left * SELDOM && !heard.has(feature)) unheard.add(feature);
  }
  return { strange, unheard };
}

function range(count: number, of: (row: number) => number): [number, number] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < count; row++) {
    first = Math.min(first, of(row));
    last = Math.max(last, of(row));
  }
  return [first, last];
}

export function isSlip(said: string, id: string): boolean {
  if (said.length >= 5 && said.length >= id.length - 3 && (id.startsWith(said) || id.endsWith(said)))
    return true;
  if (Math.abs(said.length - id.length) > 1 || id.length < 5) return false;
  let from = 0;
  while (from < said.length && said[from] === id[from]) from++;
  let [a, b] = [said.length, id.length];
  while (a > from && b > from && said[a - 1] === id[b - 1]) [a, b] = [a - 1, b - 1];
  const [wrong, right] = [said.slice(from, a), id.slice(from, b)];
  return (
    Math.max(wrong.length, right.length) <= 1 ||
    (wrong.length === 2 && right.length === 2 && wrong[0] === right[1] && wrong[1] === right[0])
  );
}
