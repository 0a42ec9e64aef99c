import { type Board, CONTESTED, FREE, TAKEN } from '../board.ts';
import { components, proposeAmong } from '../components.ts';
import { Ints } from '../rows/column.ts';
import type { Evidence } from '../rows/evidence.ts';
import type { Payees } from '../rows/payees.ts';
import { OF_PAYOUT, SUBSCRIPTION } from '../rows/payments.ts';
import { Dense, moneyKey, Shelves } from '../rows/shelves.ts';
import { endsStep, type Steps } from '../steps.ts';
import { refersElsewhere, type Sayings, STRANGE_REFERENCE } from './doubts.ts';

const MOST = 16;

/** What the payee pass leaves for the last one: lines that name somebody, or something, that a payment must agree with. */
export interface Named {
  /** 1: the line names a customer whole. */
  readonly somebody: Uint8Array;
}

/**
 * Amount, currency, days and payee: the line says the customer’s name (or the subscription’s number), and of all payments of that amount
 * within the days it is the only one it can mean, and the only line that can mean it.
 */
export function* matchByPayee(
  board: Board,
  payees: Payees,
  evidence: Evidence,
  says: Pick<Sayings, 'speaks' | 'strange'>,
): Steps<Named> {
  const { lines } = board;
  const somebody = new Uint8Array(lines.length);
  const { shelves, shelfOf } = yield* shelve(board, payees);
  const pairs = { line: new Ints(), payment: new Ints(), cost: new Ints() };
  const whole = new Ints();
  const subscriptions = bySubscription(evidence);
  const crowded = new Int32Array(shelves.rows.length + 1);
  const counted: number[] = [];
  const countOf = new Map<number, number>();

  for (let line = 0; line < lines.length; line++) {
    if (endsStep(line)) yield;
    if (board.lineState[line] === TAKEN || !lines.mayPay(line)) continue;
    const { from, to } = board.windows!.wide(lines.account.at(line));
    const day = lines.day.at(line);
    const found = new Map<number, number>();
    let many = 0;
    for (let at = lines.keysFrom.at(line); at < lines.keysFrom.at(line + 1); at++) {
      const key = lines.keys.at(at);
      if (!payees.tells(key)) continue;
      if (payees.whole.at(key) === 1 && payees.width.at(key) > 1) somebody[line] = 1;
      const shelf = shelfOf(lines.open.at(line), lines.currency.at(line), key);
      if (shelf === -1) continue;
      const first = shelves.at(shelf, day - to);
      const last = shelves.at(shelf, day - from + 1);
      if (last - first > MOST) {
        many = Math.max(many, last - first);
        crowded[first] = (crowded[first] as number) + 1;
        crowded[last] = (crowded[last] as number) - 1;
        continue;
      }
      for (let place = first; place < last; place++) {
        const payment = shelves.rows[place] as number;
        if (!board.declined(line, payment)) {
          found.set(payment, Math.max(found.get(payment) ?? 0, payees.whole.at(key)));
        }
      }
    }
    for (const payment of subscriptions.get(line) ?? []) {
      const lag = board.lag(line, payment);
      const free = board.paymentState[payment] !== TAKEN && !board.declined(line, payment);
      if (free && lag >= from && lag <= to) found.set(payment, 2);
    }
    if (many > 0) {
      counted.push(line);
      countOf.set(line, many);
      continue;
    }
    for (const [payment, how] of found) {
      pairs.line.push(line);
      pairs.payment.push(payment);
      pairs.cost.push(
        Math.abs(board.lag(line, payment) - board.windows!.middle(lines.account.at(line))) * 4 + 2 - how,
      );
      whole.push(how);
    }
  }
  yield* settle(board, pairs, whole, crowdedPayments(crowded, shelves.rows), says);
  for (const line of counted) {
    if (board.lineState[line] !== FREE) continue;
    const rivals = countOf.get(line) as number;
    board.add({ rule: 'payee', status: 'ambiguous', score: 5, lines: [line], payments: [], rivals });
  }
  return { somebody };
}

/** Payments that are not explained yet, on a shelf for each amount and name. */
function* shelve(
  board: Board,
  payees: Payees,
): Steps<{ shelves: Shelves; shelfOf: (amount: number, currency: number, key: number) => number }> {
  const { payments } = board;
  const money = new Dense();
  const shelf = new Dense();
  const rows = new Ints();
  const shelfOfRow = new Ints();
  for (let row = 0; row < payments.length; row++) {
    if (endsStep(row)) yield;
    if (board.paymentState[row] === TAKEN || payments.sort.at(row) === OF_PAYOUT) continue;
    const amount = money.of(moneyKey(payments.open.at(row), payments.currency.at(row)));
    for (const key of payees.keysOf(payments.payer.at(row))) {
      rows.push(row);
      shelfOfRow.push(shelf.of(amount * 4_194_304 + key));
    }
  }
  return {
    shelves: new Shelves(rows, shelfOfRow, (row) => payments.day.at(row), shelf.count),
    shelfOf: (amount, currency, key) => {
      const at = money.find(moneyKey(amount, currency));
      return at === -1 ? -1 : shelf.find(at * 4_194_304 + key);
    },
  };
}

/** Payments of the subscription whose number a line says, where the place it stands in holds such numbers. */
function bySubscription({ mentions, places }: Evidence): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (let at = 0; at < mentions.line.length; at++) {
    if (mentions.kind.at(at) !== SUBSCRIPTION || !places.trusted(mentions.place.at(at), SUBSCRIPTION))
      continue;
    const line = mentions.line.at(at);
    const of = found.get(line);
    if (of === undefined) found.set(line, [mentions.payment.at(at)]);
    else of.push(mentions.payment.at(at));
  }
  return found;
}

/** How many lines with too many candidates could mean each payment. */
function crowdedPayments(crowded: Int32Array, rows: Int32Array): Map<number, number> {
  const of = new Map<number, number>();
  let depth = 0;
  for (let place = 0; place < rows.length; place++) {
    depth += crowded[place] as number;
    if (depth > 0) of.set(rows[place] as number, depth);
  }
  return of;
}

function* settle(
  board: Board,
  pairs: { line: Ints; payment: Ints; cost: Ints },
  whole: Ints,
  crowd: ReadonlyMap<number, number>,
  says: Pick<Sayings, 'speaks' | 'strange'>,
): Steps {
  const lineDegree = new Int32Array(board.lines.length);
  const paymentDegree = new Int32Array(board.payments.length);
  for (const [payment, lines] of crowd) paymentDegree[payment] = lines;
  for (let pair = 0; pair < pairs.line.length; pair++) {
    const [line, payment] = [pairs.line.at(pair), pairs.payment.at(pair)];
    lineDegree[line] = (lineDegree[line] as number) + 1;
    paymentDegree[payment] = (paymentDegree[payment] as number) + 1;
  }
  const several: number[] = [];
  for (let pair = 0; pair < pairs.line.length; pair++) {
    if (endsStep(pair)) yield;
    const [line, payment] = [pairs.line.at(pair), pairs.payment.at(pair)];
    if (lineDegree[line] !== 1 || paymentDegree[payment] !== 1) {
      several.push(pair);
    } else if (board.lineState[line] !== CONTESTED && board.paymentState[payment] !== CONTESTED) {
      single(board, line, payment, whole.at(pair), says);
    }
  }
  const among = new Set(several);
  for (const part of components(pairs, (pair) => among.has(pair))) proposeAmong(board, 'payee', pairs, part);
}

function single(
  board: Board,
  line: number,
  payment: number,
  how: number,
  { speaks, strange }: Pick<Sayings, 'speaks' | 'strange'>,
): void {
  const { from, to } = board.windows!.sure(board.lines.account.at(line));
  const lag = board.lag(line, payment);
  const remark =
    lag < from || lag > to
      ? 'the days are further apart than usual'
      : speaks[line] === 1
        ? 'the line names another payment by its id'
        : refersElsewhere(board.payments, strange.get(line), payment)
          ? STRANGE_REFERENCE
          : null;
  board.add({
    rule: 'payee',
    status: remark === null ? 'confirmed' : 'suggested',
    score: remark === null ? 90 + how : 65,
    lines: [line],
    payments: [payment],
    ...(remark === null ? {} : { remark }),
  });
}
