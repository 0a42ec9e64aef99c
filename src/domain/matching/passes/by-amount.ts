import { type Board, FREE, TAKEN } from '../board.ts';
import { type Pairs, proposeAmong } from '../components.ts';
import { Ints } from '../rows/column.ts';
import { OF_PAYOUT } from '../rows/payments.ts';
import { Dense, moneyKey, Shelves } from '../rows/shelves.ts';
import { endsStep, type Steps } from '../steps.ts';
import type { Doubts } from './doubts.ts';

const MOST = 40;

/** Lines and payments that are not explained yet, by amount, and how many of the others each could be. */
export class Counts {
  readonly lines: Shelves;
  readonly payments: Shelves;
  /** Where a line’s candidates begin among the payments, and how many there are. */
  readonly first: Int32Array;
  readonly candidates: Int32Array;
  /** How many lines each place of the payments could be, and how many could be it and the next one. */
  readonly wanted: Int32Array;
  readonly bound: Int32Array;
  /** Payments of each amount, explained or not. */
  readonly ofAmount: Int32Array;
  readonly placeOf: Int32Array;

  static *of(board: Board): Steps<Counts> {
    const { lines, payments } = board;
    const money = new Dense();
    const [paymentRows, paymentShelf, lineRows, lineShelf] = [new Ints(), new Ints(), new Ints(), new Ints()];
    const all = new Ints();
    for (let row = 0; row < payments.length; row++) {
      if (endsStep(row)) yield;
      const whole = payments.open.at(row) || payments.amount.at(row);
      const amount = money.of(moneyKey(whole, payments.currency.at(row)));
      if (amount === all.length) all.push(0);
      all.set(amount, all.at(amount) + 1);
      if (board.paymentState[row] === TAKEN) continue;
      paymentRows.push(row);
      paymentShelf.push(amount);
    }
    for (let row = 0; row < lines.length; row++) {
      if (endsStep(row)) yield;
      if (board.lineState[row] === TAKEN || !lines.mayPay(row)) continue;
      const amount = money.find(moneyKey(lines.open.at(row), lines.currency.at(row)));
      if (amount === -1) continue;
      lineRows.push(row);
      lineShelf.push(amount);
    }
    const counts = new Counts(board, {
      lines: new Shelves(lineRows, lineShelf, (row) => lines.day.at(row), money.count),
      payments: new Shelves(paymentRows, paymentShelf, (row) => payments.day.at(row), money.count),
      ofAmount: all.view().slice(),
    });
    yield;
    for (let shelf = 0; shelf < money.count; shelf++) {
      if (endsStep(shelf)) yield;
      counts.#count(board, shelf);
    }
    counts.#addUp();
    counts.#takeDeclines(board);
    return counts;
  }

  private constructor(board: Board, known: Pick<Counts, 'lines' | 'payments' | 'ofAmount'>) {
    this.ofAmount = known.ofAmount;
    this.lines = known.lines;
    this.payments = known.payments;
    this.first = new Int32Array(board.lines.length).fill(-1);
    this.candidates = new Int32Array(board.lines.length);
    this.wanted = new Int32Array(this.payments.rows.length + 1);
    this.bound = new Int32Array(this.payments.rows.length + 1);
    this.placeOf = new Int32Array(board.payments.length).fill(-1);
    for (const [place, row] of this.payments.rows.entries()) this.placeOf[row] = place;
  }

  /** The candidate of a line that has only one. */
  only(board: Board, line: number): number {
    const first = this.first[line] as number;
    if (!board.hasDeclines(line)) return this.payments.rows[first] as number;
    let place = first;
    while (board.declined(line, this.payments.rows[place] as number)) place++;
    return this.payments.rows[place] as number;
  }

  /** Both sides of a shelf are in the order of days, so that the candidates of the next line begin where those of the last did, or later. */
  #count(board: Board, shelf: number): void {
    const { lines, payments } = this;
    const [from, to] = [payments.from(shelf), payments.to(shelf)];
    if (from === to) return;
    const low = board.accounts.map(() => from);
    const high = board.accounts.map(() => from);
    for (let at = lines.from(shelf); at < lines.to(shelf); at++) {
      const line = lines.rows[at] as number;
      const account = board.lines.account.at(line);
      const day = lines.days[at] as number;
      const span = board.windows!.wide(account);
      let first = low[account] as number;
      while (first < to && (payments.days[first] as number) < day - span.to) first++;
      let last = Math.max(high[account] as number, first);
      while (last < to && (payments.days[last] as number) <= day - span.from) last++;
      low[account] = first;
      high[account] = last;
      this.first[line] = first;
      this.candidates[line] = last - first;
      if (last === first) continue;
      this.wanted[first] = (this.wanted[first] as number) + 1;
      this.wanted[last] = (this.wanted[last] as number) - 1;
      this.bound[first] = (this.bound[first] as number) + 1;
      this.bound[last - 1] = (this.bound[last - 1] as number) - 1;
    }
  }

  #addUp(): void {
    for (const column of [this.wanted, this.bound]) {
      for (let place = 1; place < column.length; place++) {
        column[place] = (column[place] as number) + (column[place - 1] as number);
      }
    }
  }

  #takeDeclines(board: Board): void {
    for (const [line, no] of board.declines()) {
      const count = this.candidates[line] as number;
      if (count === 0) continue;
      const first = this.first[line] as number;
      for (const payment of no) {
        const place = this.placeOf[payment] ?? -1;
        if (place < first || place >= first + count) continue;
        this.candidates[line] = (this.candidates[line] as number) - 1;
        this.wanted[place] = (this.wanted[place] as number) - 1;
      }
    }
  }
}

/**
 * Amount, currency and days alone: a line is the only one that a payment could be, and the payment the only one it could be. That
 * is certain as long as nothing says that the right one is merely missing (see `Doubts`).
 */
export function* matchByAmount(board: Board, counts: Counts, doubts: Doubts): Steps {
  const { lines, payments } = counts;
  for (let shelf = 0; shelf < payments.shelves; shelf++) {
    if (payments.from(shelf) === payments.to(shelf)) continue;
    for (let at = lines.from(shelf); at < lines.to(shelf); at++) {
      if (endsStep(at)) yield;
      const line = lines.rows[at] as number;
      if (counts.candidates[line] !== 1 || board.lineState[line] !== FREE) continue;
      const payment = counts.only(board, line);
      const alone = counts.wanted[counts.placeOf[payment] as number] === 1;
      if (alone && board.paymentState[payment] === FREE) one(board, line, payment, doubts);
    }
    among(board, counts, shelf);
  }
}

function one(board: Board, line: number, payment: number, doubts: Doubts): void {
  const batch = board.payments.sort.at(payment) === OF_PAYOUT;
  if (batch && board.lines.isProcessor(line)) return;
  const doubt = doubts.of(line, payment);
  board.add({
    rule: 'amount-date',
    status: doubt === null ? 'confirmed' : 'suggested',
    score: doubt === null ? 85 : 55,
    lines: [line],
    payments: [payment],
    ...(doubt === null ? {} : { remark: doubt }),
  });
}

/** Stretches of a shelf whose lines and payments could be each other in several ways. */
function among(board: Board, counts: Counts, shelf: number): void {
  const { lines, payments } = counts;
  const from = payments.from(shelf);
  const starts: number[] = [];
  const stretchOf = new Int32Array(payments.to(shelf) - from);
  for (let place = from; place < payments.to(shelf); place++) {
    if (place === from || (counts.bound[place - 1] as number) === 0) starts.push(place);
    stretchOf[place - from] = starts.length - 1;
  }
  const rows: number[][] = starts.map(() => []);
  for (let at = lines.from(shelf); at < lines.to(shelf); at++) {
    const line = lines.rows[at] as number;
    const first = counts.first[line] as number;
    if ((counts.candidates[line] as number) > 0) rows[stretchOf[first - from] as number]?.push(line);
  }
  for (const [at, start] of starts.entries()) {
    const own = rows[at] as number[];
    const end = starts[at + 1] ?? payments.to(shelf);
    const several = own.length > 1 || end - start > 1;
    if (several && own.some((line) => board.lineState[line] === FREE))
      stretch(board, counts, own, start, end);
  }
}

function stretch(board: Board, counts: Counts, rows: readonly number[], from: number, to: number): void {
  const { payments } = counts;
  if (rows.length <= MOST && to - from <= MOST) {
    const pairs: Pairs = { line: new Ints(), payment: new Ints(), cost: new Ints() };
    const part: number[] = [];
    for (const line of rows) {
      const first = counts.first[line] as number;
      const middle = board.windows!.middle(board.lines.account.at(line));
      const span = board.windows!.wide(board.lines.account.at(line));
      for (let place = first; place < to; place++) {
        const payment = payments.rows[place] as number;
        const lag = board.lag(line, payment);
        if (lag < span.from) break;
        if (board.paymentState[payment] === TAKEN || board.declined(line, payment)) continue;
        part.push(pairs.line.push(line));
        pairs.payment.push(payment);
        pairs.cost.push(Math.abs(lag - middle) * 4);
      }
    }
    if (part.length > 0) proposeAmong(board, 'amount-date', pairs, part);
    return;
  }
  for (const line of rows) {
    if (board.lineState[line] !== FREE) continue;
    const rivals = counts.candidates[line] as number;
    const remark = `${rows.length} lines and ${to - from} payments of this amount fit each other`;
    board.add({
      rule: 'amount-date',
      status: 'ambiguous',
      score: 5,
      lines: [line],
      payments: [],
      rivals,
      remark,
    });
  }
  for (let place = from; place < to; place++) {
    board.contest(payments.rows[place] as number);
  }
}
