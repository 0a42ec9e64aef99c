import type { MatchPassId } from '../model/match-types.ts';
import { matchPassIds } from '../model/match-types.ts';
import { type MatchState, matchStatuses, ROW_EXPLAINED } from '../state/match-state.ts';

const SUGGESTED = matchStatuses.indexOf('suggested');
const CONFIRMED = matchStatuses.indexOf('confirmed');
const CONFIRMED_SCORE = 100;

/**
 * Judges again the pairs by id that were not proved before. Later passes may have explained the payments that were
 * alternatives to them.
 */
export function confirmPairsWithoutAlternatives(state: MatchState): void {
  for (const match of state.unprovedMatches) {
    const pair = readPair(state, match);
    if (pair === null || state.gate === null) continue;
    const [line, payment] = pair;
    const rule = matchPassIds[state.pass.at(match)] as MatchPassId;
    const draft = {
      rule,
      status: 'confirmed' as const,
      score: CONFIRMED_SCORE,
      lines: [line],
      payments: [payment],
    };
    if (state.gate.findObjection(draft) !== null) continue;
    state.status.set(match, CONFIRMED);
    state.score.set(match, CONFIRMED_SCORE);
    state.remark.set(match, -1);
    state.lineState[line] = ROW_EXPLAINED;
    state.paymentState[payment] = ROW_EXPLAINED;
  }
}

/** Returns the line and the payment of a suggested match by id; null for any other match. */
function readPair(state: MatchState, match: number): readonly [line: number, payment: number] | null {
  const rule = matchPassIds[state.pass.at(match)];
  const isById = rule === 'gateway-id' || rule === 'payout-reference' || rule === 'id-in-text';
  if (!isById || state.status.at(match) !== SUGGESTED) return null;
  const [lineAt, paymentAt] = [state.linesFrom.at(match), state.paymentsFrom.at(match)];
  const isPair =
    state.linesFrom.at(match + 1) === lineAt + 1 && state.paymentsFrom.at(match + 1) === paymentAt + 1;
  return isPair ? [state.line.at(lineAt), state.payment.at(paymentAt)] : null;
}
