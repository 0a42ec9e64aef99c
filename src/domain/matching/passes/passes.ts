import { type Board, FREE } from '../board.ts';
import type { RuleId } from '../model.ts';
import type { Evidence } from '../rows/evidence.ts';
import type { Payees } from '../rows/payees.ts';
import { GATEWAY, STATEMENT, TRANSACTION } from '../rows/payments.ts';
import type { Steps } from '../steps.ts';
import type { UserRule } from '../user-rule.ts';
import { Windows } from '../windows.ts';
import { Counts, matchByAmount } from './by-amount.ts';
import { matchByIds } from './by-ids.ts';
import { matchByPayee } from './by-payee.ts';
import { matchByTolerance } from './by-tolerance.ts';
import { Doubts } from './doubts.ts';
import { doubtIds } from './id-doubts.ts';
import { matchByDays } from './payout-days.ts';
import { matchReversals } from './reversals.ts';
import { suggestSums } from './sums.ts';

/** The passes in their order, each over all rows before the next; says in steps which one is under way. */
export function* runPasses(
  board: Board,
  payees: Payees,
  rules: readonly UserRule[],
): Generator<RuleId, void, undefined> {
  const { lines } = board;
  const { evidence } = lines;
  const { mentions, places } = evidence;
  const kindOf = (at: number): number => mentions.kind.at(at);
  const trusted = (at: number): boolean => places.trusted(mentions.place.at(at), kindOf(at));
  const isNumber = (at: number): boolean => kindOf(at) >= TRANSACTION && kindOf(at) <= STATEMENT;
  const reported = (at: number): boolean => isNumber(at) && lines.isProcessor(mentions.line.at(at));
  const batches = board.batches.mentions(evidence);
  const always = (): boolean => true;
  const isGateway = (at: number): boolean => kindOf(at) === GATEWAY;
  yield* pass('gateway-id', matchByIds(board, 'gateway-id', mentions, isGateway, trusted, rules));
  const reference = 'payout-reference';
  yield* pass(reference, matchByIds(board, reference, mentions, reported, trusted, rules));
  yield* pass(reference, matchByIds(board, reference, batches, always, always, rules));
  yield* pass('id-in-text', matchByIds(board, 'id-in-text', mentions, isNumber, trusted, rules));
  board.windows = windowsOf(board);
  doubtIds(board, payees);
  matchReversals(board, evidence, 'refunds');
  yield 'user-rule';
  applyRules(board, rules);
  const speaks = new Uint8Array(lines.length);
  for (let at = 0; at < mentions.line.length; at++)
    if (trusted(at) && kindOf(at) <= STATEMENT) speaks[mentions.line.at(at)] = 1;
  const strange = strangeNumbers(evidence);
  const { somebody } = yield* pass('payee', matchByPayee(board, payees, evidence, { speaks, strange }));
  matchByTolerance(board, payees, speaks, rules);
  yield 'amount-date';
  const counts = yield* pass('amount-date', Counts.of(board));
  const doubts = yield* pass('amount-date', Doubts.of(board, counts, { speaks, somebody, strange }));
  yield* pass('amount-date', matchByAmount(board, counts, doubts));
  yield* pass('payout-days', matchByDays(board, counts));
  matchReversals(board, evidence, 'all');
  yield* pass('sum', suggestSums(board, counts));
}

function* pass<Result>(rule: RuleId, steps: Steps<Result>): Generator<RuleId, Result, undefined> {
  yield rule;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield rule;
  }
}

/** How long money takes, from the matches that an id proves. */
function windowsOf(board: Board): Windows {
  const windows = new Windows(board.accounts);
  for (let group = 0; group < board.count; group++) {
    if (board.status.at(group) !== 0 || board.batch.at(group) !== -1) continue;
    for (let at = board.linesFrom.at(group); at < board.linesFrom.at(group + 1); at++) {
      const line = board.line.at(at);
      for (let to = board.paymentsFrom.at(group); to < board.paymentsFrom.at(group + 1); to++) {
        windows.see(board.lines.account.at(line), board.lag(line, board.payment.at(to)));
      }
    }
  }
  windows.learn(board.accounts);
  return windows;
}

/** Lines that a rule of the user’s takes, of those that no id has matched. */
function applyRules(board: Board, rules: readonly UserRule[]): void {
  const { lines } = board;
  for (let row = 0; row < lines.length; row++) {
    const taker = lines.taker.at(row);
    const action = rules[taker]?.action;
    if (
      action === undefined ||
      action.do === 'tolerate' ||
      board.lineState[row] !== FREE ||
      board.declined(row, -1)
    )
      continue;
    const category = action.do === 'ignore' ? 'ignored' : action.category;
    board.add({
      rule: 'user-rule',
      status: 'confirmed',
      score: 100,
      lines: [row],
      payments: [],
      adjustments: [[category, lines.open.at(row), null]],
      userRule: taker,
    });
  }
}

/** Numbers where references stand that are no payment’s, by line. */
function strangeNumbers({
  unknownLine,
  unknownPlace,
  unknownValue,
  places,
}: Evidence): ReadonlyMap<number, readonly number[]> {
  const strange = new Map<number, number[]>();
  for (let at = 0; at < unknownLine.length; at++) {
    if (!places.speaks(unknownPlace.at(at))) continue;
    const line = unknownLine.at(at);
    const of = strange.get(line);
    if (of === undefined) strange.set(line, [unknownValue.at(at)]);
    else of.push(unknownValue.at(at));
  }
  return strange;
}
