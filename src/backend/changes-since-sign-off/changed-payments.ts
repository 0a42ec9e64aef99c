import { canonicalJson } from '../../domain/periods/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { MatchPayment, StoredPayment } from '../store/matching/match-payment.ts';
import { lockedPayments } from '../store/period-lock/period-lock.ts';
import { toClosedRow } from '../store/periods/closed-rows.ts';
import { rowsChangedSinceSignOff } from '../store/periods/sign-off-change.ts';
import { commit, type ReadableDb } from '../store/sqlite/connection.ts';
import {
  type ClosedFiguresRow,
  closedDateRange,
  closedFiguresInForce,
  parseRowFields,
  recordRowChange,
  type SignOffChangeCause,
} from './record-changes.ts';

/** The closed figures in force, and the payments with recorded changes since sign-off. */
export interface SignedPayments {
  readonly allClosedFigures: readonly ClosedFiguresRow[];
  readonly posted_in: string;
  readonly changedSinceSignOff: ReadonlySet<number>;
}

/** Finds the closed figures and the payments changed since sign-off. Returns null if no period is closed. */
export function findSignedPayments(books: ReadableDb): SignedPayments | null {
  const force = closedFiguresInForce(books);
  if (force === null) return null;
  const changedSinceSignOff = force.allClosedFigures.flatMap(({ id }) =>
    rowsChangedSinceSignOff(books, id, 'payment').flatMap(({ row, change }) =>
      change === 'added' ? [] : [row],
    ),
  );
  return { ...force, changedSinceSignOff: new Set(changedSinceSignOff) };
}

/**
 * Records which payments of closed periods the service has changed or removed. Their stored rows stay as signed. Changes
 * that the service has reverted are ended. `others` are the changed or removed payments. Returns the ids of the payments
 * that stay as signed, and the number of changes written.
 */
export function recordChangedPayments(
  open: OpenSite,
  signed: SignedPayments | null,
  stored: readonly StoredPayment[],
  now: ReadonlyMap<number, MatchPayment>,
  others: readonly { id: number }[],
  cause: SignOffChangeCause,
): { ids: ReadonlySet<number>; noted: number } {
  if (signed === null) return { ids: new Set(), noted: 0 };
  const { books, file } = open;
  const locked = lockedPayments(
    books,
    others.map(({ id }) => id),
  );
  const toCompare = stored.filter(({ id }) => locked.has(id) || signed.changedSinceSignOff.has(id));
  const ids = new Set<number>();
  if (toCompare.length === 0) return { ids, noted: 0 };
  return commit(books, () => {
    let recorded = 0;
    for (const { id } of toCompare) {
      const found = findClosedRow(open, signed.allClosedFigures, id);
      if (found === null) continue;
      const { closedFigures, before } = found;
      const after = toCurrentRow(before, now.get(id));
      if (after !== before) ids.add(id);
      const where = { posted_in: signed.posted_in, currency: file.currency };
      if (recordRowChange(books, closedFigures, { kind: 'payment', row: id, before, after }, cause, where))
        recorded++;
    }
    return { ids, noted: recorded };
  });
}

function findClosedRow(
  open: OpenSite,
  allClosedFigures: readonly ClosedFiguresRow[],
  id: number,
): { closedFigures: ClosedFiguresRow; before: string } | null {
  for (const closedFigures of allClosedFigures) {
    const row = toClosedRow(open, 'payment', closedDateRange(closedFigures), id);
    if (row !== null) return { closedFigures, before: row.text };
  }
  return null;
}

/** Returns the payment's current data in the format of the closed row. */
function toCurrentRow(before: string, payment: MatchPayment | undefined): string | null {
  if (payment === undefined) return null;
  const { id, statement_id, kind, paid_on, amount_in_cents, currency, payment_id, gateway_transaction_id } =
    payment;
  return canonicalJson({
    ...parseRowFields(before),
    ...{ id, statement_id, kind, paid_on, amount_in_cents, currency, payment_id, gateway_transaction_id },
  });
}
