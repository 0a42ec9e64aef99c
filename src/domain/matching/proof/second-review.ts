import type { MatchPassId } from '../model/match-types.ts';
import { matchPassIds } from '../model/match-types.ts';
import { type MatchState, matchStatuses, ROW_EXPLAINED, ROW_PROPOSED } from '../state/match-state.ts';

const SUGGESTED = matchStatuses.indexOf('suggested');
const CONFIRMED = matchStatuses.indexOf('confirmed');
const RIVALED_SCORE = 70;
/** Passes whose pairs are judged again. */
const reviewedPasses = new Set<MatchPassId>(['gateway-id', 'payout-reference', 'id-in-text', 'payee']);

/**
 * Judges again the pairs by id and by name that were not proved before. Later matches may have explained the payments that
 * were alternatives to them. Repeats this until nothing changes, so that the order of the pairs does not matter.
 */
export function confirmPairsWithoutAlternatives(state: MatchState): void {
  let open = state.unprovedMatches;
  for (let before = -1; open.length !== before; ) {
    before = open.length;
    open = open.filter(([match, provedScore]) => !confirmIfProved(state, match, provedScore));
  }
}

/** Confirms a suggested pair if the gate has no objection anymore. Returns true if it did. */
function confirmIfProved(state: MatchState, match: number, score: number): boolean {
  const rule = matchPassIds[state.pass.at(match)] as MatchPassId;
  const isReviewed = reviewedPasses.has(rule) && state.status.at(match) === SUGGESTED;
  const pair = isReviewed ? readPair(state, match) : null;
  if (pair === null || state.gate === null) return false;
  const [line, payment] = pair;
  const draft = { rule, status: 'confirmed', score, lines: [line], payments: [payment] } as const;
  if (state.gate.findObjection(draft) !== null) return false;
  state.status.set(match, CONFIRMED);
  state.score.set(match, score);
  state.remark.set(match, -1);
  state.lineState[line] = ROW_EXPLAINED;
  state.paymentState[payment] = ROW_EXPLAINED;
  return true;
}

/** Turns matches by name into suggestions if another open line may pay their payment. The order does not matter. */
export function suggestPairsWithRivals(state: MatchState): void {
  const rivaled: (readonly [match: number, line: number, payment: number])[] = [];
  for (let match = 0; match < state.matchCount; match++) {
    if (state.status.at(match) !== CONFIRMED || matchPassIds[state.pass.at(match)] !== 'payee') continue;
    const pair = readPair(state, match);
    if (pair !== null && state.gate?.hasRival(...pair) === true) rivaled.push([match, ...pair]);
  }
  for (const [match, line, payment] of rivaled) {
    state.status.set(match, SUGGESTED);
    state.score.set(match, RIVALED_SCORE);
    state.remark.set(match, state.texts.assignNumber('another line without a name fits the payment as well'));
    state.lineState[line] = ROW_PROPOSED;
    state.paymentState[payment] = ROW_PROPOSED;
  }
}

/** Returns the line and the payment of a match; null if it has several. */
function readPair(state: MatchState, match: number): readonly [line: number, payment: number] | null {
  const [lineAt, paymentAt] = [state.linesFrom.at(match), state.paymentsFrom.at(match)];
  const isPair =
    state.linesFrom.at(match + 1) === lineAt + 1 && state.paymentsFrom.at(match + 1) === paymentAt + 1;
  return isPair ? [state.line.at(lineAt), state.payment.at(paymentAt)] : null;
}
