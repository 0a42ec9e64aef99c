import { getLineKind } from '../indexes/bank-lines.ts';
import type { IdEvidence } from '../indexes/id-evidence.ts';
import { REFUND_ROW } from '../indexes/payments.ts';
import { comparePayments } from '../state/candidate-pairs.ts';
import { type MatchDraft, type MatchState, ROW_FREE } from '../state/match-state.ts';

interface Reversal {
  readonly line: number;
  readonly payment: number;
  readonly idKind: number;
  readonly alternatives: number;
  /** Refunds of the payment whose amount equals the line's amount, without those that a person declined for it. */
  readonly refunds: readonly number[];
  /** True if a person declined such a refund. The line is then not certainly a chargeback. */
  readonly hasDeclinedRefund: boolean;
}

/**
 * Matches outgoing lines that name the payment they reverse. If a statement has a refund of that payment, the line is
 * matched to the refund. If not, the line is a chargeback or an unrecorded refund and claims nothing of the payment,
 * because the payment's receipt claims it. `refunds` limits the pass to recorded refunds.
 */
export function matchReversals(state: MatchState, scope: 'refunds' | 'all'): void {
  for (const reversal of findReversals(state)) {
    const { alternatives, refunds } = reversal;
    if (scope === 'all' || (alternatives === 0 && refunds.length === 1)) addReversalMatch(state, reversal);
  }
}

function findReversals(state: MatchState): Reversal[] {
  const { paymentsOfLine, linesOfPayment } = collectMentions(state, state.lines.evidence);
  const refundsOfPayment = findFreeRefunds(state);
  const reversals: Reversal[] = [];
  for (const [line, payments] of paymentsOfLine) {
    const [strongest] = [...payments].sort(
      ([payment, idKind], [other, otherKind]) => idKind - otherKind || comparePayments(state, payment, other),
    );
    if (strongest === undefined) continue;
    const [payment, idKind] = strongest;
    const cents = state.lines.openCents.at(line);
    const refunds = (refundsOfPayment.get(payment) ?? []).filter(
      (row) => state.payments.openCents.at(row) === cents,
    );
    const allowedRefunds = refunds.filter((row) => !state.isDeclined(line, row));
    reversals.push({
      line,
      payment,
      idKind,
      alternatives: payments.size - 1 + (linesOfPayment.get(payment)?.size ?? 1) - 1,
      refunds: allowedRefunds,
      hasDeclinedRefund: allowedRefunds.length < refunds.length,
    });
  }
  return reversals;
}

/** Returns the payments that each line names, with the strongest kind of id, and the lines that name each payment. */
function collectMentions(
  state: MatchState,
  { reversals, positions }: IdEvidence,
): { paymentsOfLine: Map<number, Map<number, number>>; linesOfPayment: Map<number, Set<number>> } {
  const paymentsOfLine = new Map<number, Map<number, number>>();
  const linesOfPayment = new Map<number, Set<number>>();
  for (let at = 0; at < reversals.line.length; at++) {
    const [line, payment, idKind] = [reversals.line.at(at), reversals.payment.at(at), reversals.kind.at(at)];
    if (state.lineState[line] !== ROW_FREE || !positions.containsIds(reversals.position.at(at), idKind))
      continue;
    if (state.isDeclined(line, payment) || state.isDeclined(line, -1)) continue;
    const payments = paymentsOfLine.get(line) ?? new Map<number, number>();
    payments.set(payment, Math.min(payments.get(payment) ?? idKind, idKind));
    paymentsOfLine.set(line, payments);
    linesOfPayment.set(payment, (linesOfPayment.get(payment) ?? new Set()).add(line));
  }
  return { paymentsOfLine, linesOfPayment };
}

function addReversalMatch(state: MatchState, reversal: Reversal): void {
  const { line, payment, idKind, refunds } = reversal;
  const isUnique = reversal.alternatives === 0;
  const [refund] = [...refunds].sort((a, b) => comparePayments(state, a, b));
  state.addMatch({
    rule: 'reversal',
    ...rateReversal(state, reversal),
    lines: [line],
    payments: refund === undefined || !isUnique ? [] : [refund],
    ...(refund === undefined && isUnique ? { adjustments: [createReversalAdjustment(state, line)] } : {}),
    alternatives: isUnique ? Math.max(0, refunds.length - 1) : reversal.alternatives,
    idKind,
    reversedPayment: isUnique ? payment : -1,
  });
}

function rateReversal(
  state: MatchState,
  { line, payment, alternatives, refunds, hasDeclinedRefund }: Reversal,
): Pick<MatchDraft, 'status' | 'score' | 'remark'> {
  const isFullAmount = -state.lines.openCents.at(line) === state.payments.amountCents.at(payment);
  if (alternatives > 0) return { status: 'ambiguous', score: 30 };
  if (refunds.length > 1) return { status: 'ambiguous', score: 60 };
  if (refunds.length === 1 || (isFullAmount && !hasDeclinedRefund)) return { status: 'confirmed', score: 90 };
  const remark = isFullAmount
    ? 'the refund that fits the line was declined'
    : 'the amount differs from the payment that the line reverses';
  return { status: 'suggested', score: 60, remark };
}

function createReversalAdjustment({ lines }: MatchState, line: number): readonly [string, number, string] {
  const category = getLineKind(lines.kind.at(line)) === 'refund' ? 'refund' : 'chargeback';
  return [category, lines.openCents.at(line), 'reverses a payment'];
}

/** Returns the unmatched refunds on statements, by the payment they refund. */
function findFreeRefunds({ payments, paymentState }: MatchState): Map<number, number[]> {
  const refundsOfPayment = new Map<number, number[]>();
  for (let row = 0; row < payments.length; row++) {
    if (payments.rowType.at(row) !== REFUND_ROW || paymentState[row] !== ROW_FREE) continue;
    const payment = payments.findRow(payments.paymentId.at(row));
    if (payment === -1) continue;
    const refunds = refundsOfPayment.get(payment);
    if (refunds === undefined) refundsOfPayment.set(payment, [row]);
    else refunds.push(row);
  }
  return refundsOfPayment;
}
