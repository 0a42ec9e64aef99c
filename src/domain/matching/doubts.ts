import { type Board, TAKEN } from './board.ts';
import type { Counts } from './byAmount.ts';

/** An amount of which so many payments are to be expected within a line’s days is a common one. */
const COMMON = 0.5;
/** How many wrong matches of one amount may be expected at most where amounts and days alone decide. */
const RISK = 0.01;
const STRANGE = 0.6;
const OFTEN = 3;

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
  readonly #strangeWords: ReadonlySet<number>;
  readonly #risky: Uint8Array;
  readonly #missing: Uint8Array;
  readonly #foreign: Uint8Array;
  readonly #amountOf: Int32Array;
  readonly #firstPayment: number;
  readonly #lastLine: Int32Array;

  constructor(board: Board, counts: Counts, sayings: Sayings) {
    this.#board = board;
    this.#sayings = sayings;
    const { lines, payments } = board;
    const [firstPayment, lastPayment] = range(payments.length, (row) => payments.day.at(row));
    this.#firstPayment = firstPayment;
    this.#lastLine = new Int32Array(board.accounts.length).fill(-1e9);
    let firstLine = Number.POSITIVE_INFINITY;
    let lastLine = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < lines.length; row++) {
      const [day, account] = [lines.day.at(row), lines.account.at(row)];
      this.#lastLine[account] = Math.max(this.#lastLine[account] as number, day);
      firstLine = Math.min(firstLine, day);
      lastLine = Math.max(lastLine, day);
    }
    const alone = (row: number): boolean => {
      const span = board.windows!.wide(lines.account.at(row));
      const day = lines.day.at(row);
      return counts.candidates[row] === 0 && day - span.to >= firstPayment && day - span.from <= lastPayment;
    };
    this.#strangeWords = strangeWords(board, alone);

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
        if (alone(row) && !this.#strange(row)) foreign[shelf] = (foreign[shelf] as number) + 1;
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
    for (let shelf = 0; shelf < amounts; shelf++) {
      if (!common(shelf)) continue;
      const part = (counts.ofAmount[shelf] as number) / Math.max(1, all);
      const strangers = Math.max(foreign[shelf] as number, allForeign * part);
      const gaps = Math.max(missing[shelf] as number, allMissing * part);
      if (strangers * gaps * share > RISK) this.#risky[shelf] = 1;
      if (gaps >= COMMON) this.#missing[shelf] = 1;
      if (strangers >= COMMON) this.#foreign[shelf] = 1;
    }
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
    const numbers = strange.get(line);
    if (numbers !== undefined && !numbers.some((number) => this.#alike(number, payment))) {
      return 'the line has a reference that is no payment’s';
    }
    if (this.#strange(line)) return 'the line is worded like others that no payment fits';
    const shelf = this.#amountOf[line] as number;
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

  /** Whether a number is a payment’s id but for a slip: a digit wrong, lacking or too many, two in turn, or cut off. */
  #alike(number: number, payment: number): boolean {
    const { payments } = this.#board;
    const said = String(number);
    return [payments.id, payments.payment, payments.statement].some((column) => {
      const id = column.at(payment);
      return id > 0 && isSlip(said, String(id));
    });
  }

  #strange(line: number): boolean {
    const { lines } = this.#board;
    for (let at = lines.wordsFrom.at(line); at < lines.wordsFrom.at(line + 1); at++) {
      if (this.#strangeWords.has(lines.words.at(at))) return true;
    }
    return false;
  }
}

/** Words that stand mostly in lines no payment fits. */
function strangeWords(board: Board, alone: (line: number) => boolean): ReadonlySet<number> {
  const { lines } = board;
  const seen = new Map<number, [all: number, alone: number]>();
  for (let line = 0; line < lines.length; line++) {
    if (board.lineState[line] === TAKEN || !lines.mayPay(line)) continue;
    const isAlone = alone(line) ? 1 : 0;
    for (let at = lines.wordsFrom.at(line); at < lines.wordsFrom.at(line + 1); at++) {
      const word = lines.words.at(at);
      const counts = seen.get(word);
      if (counts === undefined) {
        seen.set(word, [1, isAlone]);
      } else {
        counts[0]++;
        counts[1] += isAlone;
      }
    }
  }
  const strange = new Set<number>();
  for (const [word, [all, without]] of seen) {
    if (without >= OFTEN && without >= all * STRANGE) strange.add(word);
  }
  return strange;
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
