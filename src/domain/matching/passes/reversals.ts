import { type Board, FREE } from '../board.ts';
import type { Evidence } from '../rows/evidence.ts';
import { kindName } from '../rows/lines.ts';
import { OF_REFUND } from '../rows/payments.ts';

/**
 * Money given back that no refund of the statements explains: a line that names the payment it takes back, by its id. If the
 * statements have a refund of that payment it is the line’s; else the line is a chargeback (or a refund nobody wrote down), and
 * nothing of the payment is claimed, for that is what its receipt does. `refunds` takes only the former: they go before amounts alone.
 */
export function matchReversals(
  board: Board,
  { reversals, places }: Evidence,
  which: 'refunds' | 'all',
): void {
  const byLine = new Map<number, Map<number, number>>();
  const byPayment = new Map<number, Set<number>>();
  for (let at = 0; at < reversals.line.length; at++) {
    const [line, payment, kind] = [reversals.line.at(at), reversals.payment.at(at), reversals.kind.at(at)];
    if (board.lineState[line] !== FREE || !places.trusted(reversals.place.at(at), kind)) continue;
    if (board.declined(line, payment) || board.declined(line, -1)) continue;
    const named = byLine.get(line) ?? new Map<number, number>();
    named.set(payment, Math.min(named.get(payment) ?? kind, kind));
    byLine.set(line, named);
    byPayment.set(payment, (byPayment.get(payment) ?? new Set()).add(line));
  }
  const refunds = refundsOf(board);
  for (const [line, named] of byLine) {
    const [first] = named;
    if (first === undefined) continue;
    const [payment, idKind] = first;
    const rivals = named.size - 1 + (byPayment.get(payment)?.size ?? 1) - 1;
    const back = board.lines.open.at(line);
    const whole = -back === board.payments.amount.at(payment);
    const own = (refunds.get(payment) ?? []).filter((row) => board.payments.open.at(row) === back);
    const refund = own.length === 1 ? own[0] : undefined;
    if (which === 'refunds' && (rivals > 0 || refund === undefined)) continue;
    const sure = rivals === 0 && (refund !== undefined || (whole && own.length === 0));
    const kind = kindName(board.lines.kind.at(line));
    board.add({
      rule: 'reversal',
      status: rivals > 0 || own.length > 1 ? 'ambiguous' : sure ? 'confirmed' : 'suggested',
      score: rivals > 0 ? 30 : sure ? 90 : 60,
      lines: [line],
      payments: refund === undefined || rivals > 0 ? [] : [refund],
      ...(refund === undefined && rivals === 0
        ? {
            adjustments: [
              [kind === 'refund' ? 'refund' : 'chargeback', back, 'takes back a payment'],
            ] as const,
          }
        : {}),
      rivals,
      idKind,
      reverses: rivals > 0 ? -1 : payment,
    });
  }
}

/** Refunds of the statements that nothing explains, by the payment they take back. */
function refundsOf(board: Board): Map<number, number[]> {
  const { payments } = board;
  const refunds = new Map<number, number[]>();
  for (let row = 0; row < payments.length; row++) {
    if (payments.sort.at(row) !== OF_REFUND || board.paymentState[row] !== FREE) continue;
    const of = payments.rowOf(payments.payment.at(row));
    if (of === -1) continue;
    const known = refunds.get(of);
    if (known === undefined) refunds.set(of, [row]);
    else known.push(row);
  }
  return refunds;
}
