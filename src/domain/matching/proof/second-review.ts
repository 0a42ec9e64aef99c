import type { MatchPassId } from '../model/match-types.ts';
import { matchPassIds } from '../model/match-types.ts';
import { type MatchState, matchStatuses, ROW_EXPLAINED, ROW_PROPOSED } from '../state/match-state.ts';

const SUGGESTED = matchStatuses.indexOf('suggested');
const CONFIRMED = matchStatuses.indexOf('confirmed');
const RIVALED_SCORE = 70;
/** Passes whose matches are judged again. */
const reviewedPasses = new Set<MatchPassId>(['gateway-id', 'payout-reference', 'id-in-text', 'payee']);

/**
 * Judges again the matches by id and by name that were not proved before. Later matches may have explained the rows that
 * were alternatives to them. Repeats this until nothing changes, so that the order of the matches does not matter.
 */
export function confirmMatchesWithoutAlternatives(state: MatchState): void {
  let open = state.unprovedMatches;
  for (let before = -1; open.length !== before; ) {
    before = open.length;
    open = open.filter(([match, provedScore]) => !confirmIfProved(state, match, provedScore));
  }
}

/** Confirms a suggested match if the gate no longer has an objection; else updates the objection. Returns true if it confirmed. */
function confirmIfProved(state: MatchState, match: number, score: number): boolean {
  const rule = matchPassIds[state.pass.at(match)] as MatchPassId;
  const isReviewed = reviewedPasses.has(rule) && state.status.at(match) === SUGGESTED;
  // A deposit of a payout has no payments of its own to judge.
  if (!isReviewed || state.payout.at(match) !== -1 || state.gate === null) return false;
  const { lines, payments } = readRows(state, match);
  const objection = state.gate.findObjection({ rule, status: 'confirmed', score, lines, payments });
  if (objection !== null) {
    state.remark.set(match, state.texts.assignNumber(objection));
    return false;
  }
  state.status.set(match, CONFIRMED);
  state.score.set(match, score);
  state.remark.set(match, -1);
  for (const line of lines) state.lineState[line] = ROW_EXPLAINED;
  for (const payment of payments) state.paymentState[payment] = ROW_EXPLAINED;
  return true;
}

/** Turns matches by name into suggestions if other open lines may explain their rows. The order does not matter. */
export function suggestPairsWithRivals(state: MatchState): void {
  const rivaled: { match: number; line: number; payment: number; objection: string }[] = [];
  for (let match = 0; match < state.matchCount; match++) {
    if (state.status.at(match) !== CONFIRMED || matchPassIds[state.pass.at(match)] !== 'payee') continue;
    const pair = readPair(state, match);
    const objection = pair === null ? null : (state.gate?.findRivalObjection(...pair) ?? null);
    if (pair !== null && objection !== null)
      rivaled.push({ match, line: pair[0], payment: pair[1], objection });
  }
  for (const { match, line, payment, objection } of rivaled) {
    state.status.set(match, SUGGESTED);
    state.score.set(match, RIVALED_SCORE);
    state.remark.set(match, state.texts.assignNumber(objection));
    state.lineState[line] = ROW_PROPOSED;
    state.paymentState[payment] = ROW_PROPOSED;
  }
}

/** Returns the line and the payment of a match; null if it has several. */
function readPair(state: MatchState, match: number): readonly [line: number, payment: number] | null {
  const { lines, payments } = readRows(state, match);
  return lines.length === 1 && payments.length === 1 ? [lines[0] as number, payments[0] as number] : null;
}

function readRows(
  state: MatchState,
  match: number,
): { readonly lines: number[]; readonly payments: number[] } {
  const { linesFrom, line, paymentsFrom, payment } = state;
  const lines: number[] = [];
  for (let at = linesFrom.at(match); at < linesFrom.at(match + 1); at++) lines.push(line.at(at));
  const payments: number[] = [];
  for (let at = paymentsFrom.at(match); at < paymentsFrom.at(match + 1); at++) payments.push(payment.at(at));
  return { lines, payments };
}
