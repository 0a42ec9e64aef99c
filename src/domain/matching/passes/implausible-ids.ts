import type { CustomerNames } from '../indexes/customer-names.ts';
import { matchPassIds } from '../model/match-types.ts';
import { type MatchState, matchStatuses, ROW_PROPOSED } from '../state/match-state.ts';

const ID_IN_TEXT_PASS = matchPassIds.indexOf('id-in-text');
const CONFIRMED = matchStatuses.indexOf('confirmed');
const SUGGESTED = matchStatuses.indexOf('suggested');
/** Score of a match that was downgraded to a suggestion. Chosen by judgment. */
const DOWNGRADED_SCORE = 70;

/**
 * Downgrades matches by a number in a text to suggestions if the line names another customer or the dates are
 * unusually far apart. A typing error may turn a number into the id of another payment.
 */
export function downgradeImplausibleIds(state: MatchState, names: CustomerNames): void {
  for (let match = 0; match < state.matchCount; match++) {
    if (state.pass.at(match) !== ID_IN_TEXT_PASS || state.status.at(match) !== CONFIRMED) continue;
    const [lineAt, paymentAt] = [state.linesFrom.at(match), state.paymentsFrom.at(match)];
    const isOnePair =
      state.linesFrom.at(match + 1) === lineAt + 1 && state.paymentsFrom.at(match + 1) === paymentAt + 1;
    if (!isOnePair) continue;
    const [line, payment] = [state.line.at(lineAt), state.payment.at(paymentAt)];
    const objection = findObjection(state, names, line, payment);
    if (objection === null) continue;
    state.status.set(match, SUGGESTED);
    state.score.set(match, DOWNGRADED_SCORE);
    state.remark.set(match, state.texts.assignNumber(objection));
    state.lineState[line] = ROW_PROPOSED;
    state.paymentState[payment] = ROW_PROPOSED;
  }
}

function findObjection(state: MatchState, names: CustomerNames, line: number, payment: number) {
  if (!state.isInRange('candidate', line, payment))
    return 'the dates are unusually far apart, so the number may be a typing error';
  return namesOtherCustomer(state, names, line, payment)
    ? 'the line names another customer, so the number may be a typing error'
    : null;
}

function namesOtherCustomer(
  { lines, payments }: MatchState,
  names: CustomerNames,
  line: number,
  payment: number,
): boolean {
  const ownKeys = names.getKeys(payments.customer.at(payment));
  let namesOther = false;
  for (let at = lines.nameKeysFrom.at(line); at < lines.nameKeysFrom.at(line + 1); at++) {
    const key = lines.nameKeys.at(at);
    if (ownKeys.includes(key)) return false;
    const isFullName = names.isCompleteName.at(key) === 1 && names.wordCount.at(key) > 1;
    if (isFullName && names.isDistinctive(key)) namesOther = true;
  }
  return namesOther;
}
