import { type Board, CONTESTED, statuses } from '../board.ts';
import { ruleIds } from '../model.ts';
import type { Payees } from '../rows/payees.ts';

const IN_TEXT = ruleIds.indexOf('id-in-text');
const CONFIRMED = statuses.indexOf('confirmed');
const SUGGESTED = statuses.indexOf('suggested');
const SCORE = 70;

/**
 * A number in a text is not proof by itself: a slip of the pen makes another payment’s number of it. Where the line names a customer, and not
 * the payment’s, or the days are far from those that all the others show, the match is only proposed.
 */
export function doubtIds(board: Board, payees: Payees): void {
  for (let group = 0; group < board.count; group++) {
    if (board.rule.at(group) !== IN_TEXT || board.status.at(group) !== CONFIRMED) continue;
    const [at, to] = [board.linesFrom.at(group), board.paymentsFrom.at(group)];
    if (board.linesFrom.at(group + 1) !== at + 1 || board.paymentsFrom.at(group + 1) !== to + 1) continue;
    const [line, payment] = [board.line.at(at), board.payment.at(to)];
    const doubt = doubtOf(board, payees, line, payment);
    if (doubt === null) continue;
    board.status.set(group, SUGGESTED);
    board.score.set(group, SCORE);
    board.remark.set(group, board.texts.number(doubt));
    board.lineState[line] = CONTESTED;
    board.paymentState[payment] = CONTESTED;
  }
}

function doubtOf(board: Board, payees: Payees, line: number, payment: number): string | null {
  const { from, to } = board.windows!.wide(board.lines.account.at(line));
  const lag = board.lag(line, payment);
  if (lag < from || lag > to) return 'the days are far from the usual, so that the number may be a slip';
  return namesAnother(board, payees, line, payment)
    ? 'the line names another customer, so that the number may be a slip'
    : null;
}

function namesAnother({ lines, payments }: Board, payees: Payees, line: number, payment: number): boolean {
  const own = payees.keysOf(payments.payer.at(payment));
  let another = false;
  for (let at = lines.keysFrom.at(line); at < lines.keysFrom.at(line + 1); at++) {
    const key = lines.keys.at(at);
    if (own.includes(key)) return false;
    if (payees.whole.at(key) === 1 && payees.width.at(key) > 1 && payees.tells(key)) another = true;
  }
  return another;
}
