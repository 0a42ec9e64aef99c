import { canonicalJson } from '../../domain/periods/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { MatchPayment, StoredPayment } from '../store/matching/match-payment.ts';
import { findLockedPayments } from '../store/period-lock/period-lock.ts';
import { readClosedRow } from '../store/periods/closed-rows.ts';
import { listRowsChangedSinceSignOff } from '../store/periods/sign-off-change.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import {
  type ClosedFiguresInForce,
  type ClosedFiguresRow,
  findClosedFiguresInForce,
  parseClosedRowFields,
  recordClosedRowChange,
  type SignOffChangeContext,
  toClosedDateRange,
} from './record-changes-since-sign-off.ts';

/** The closed figures in force, and the payments with recorded changes since sign-off. */
export interface SignedOffPayments extends ClosedFiguresInForce {
  readonly changedSinceSignOff: ReadonlySet<number>;
}

/** Finds the closed figures and the payments changed since sign-off. Returns null if no period is closed. */
export function findSignedOffPayments(books: ReadableDb): SignedOffPayments | null {
  const force = findClosedFiguresInForce(books);
  if (force === null) return null;
  const changedSinceSignOff = force.allClosedFigures.flatMap(({ id }) =>
    listRowsChangedSinceSignOff(books, id, 'payment').flatMap(({ row, change }) =>
      change === 'added' ? [] : [row],
    ),
  );
  return { ...force, changedSinceSignOff: new Set(changedSinceSignOff) };
}

/** Batch of payments: as stored, as in the cache by id, and the ids of the payments that differ. */
export interface ComparedPaymentBatch {
  readonly stored: readonly StoredPayment[];
  readonly current: ReadonlyMap<number, MatchPayment>;
  readonly changedIds: readonly number[];
}

/**
 * Records which payments of closed periods the service has changed or removed. Ends recorded changes that the service
 * has reverted. Returns the ids of the payments that stay stored as signed, and the number of changes written.
 */
export function recordChangedPayments(
  { open, cause }: Omit<SignOffChangeContext, 'posted_in'>,
  signed: SignedOffPayments | null,
  { stored, current, changedIds }: ComparedPaymentBatch,
): { ids: ReadonlySet<number>; recorded: number } {
  const ids = new Set<number>();
  let recorded = 0;
  if (signed === null) return { ids, recorded };
  const { allClosedFigures, posted_in, changedSinceSignOff } = signed;
  const locked = findLockedPayments(open.books, changedIds);
  const toCompare = stored.filter(({ id }) => locked.has(id) || changedSinceSignOff.has(id));
  if (toCompare.length === 0) return { ids, recorded };
  runInTransaction(open.books, () => {
    for (const { id: row } of toCompare) {
      const closed = findClosedRow(open, allClosedFigures, row);
      if (closed === null) continue;
      const { closedFigures, before } = closed;
      const after = toCurrentRow(before, current.get(row));
      if (after !== before) ids.add(row);
      const states = { kind: 'payment' as const, row, before, after };
      if (recordClosedRowChange({ open, cause, posted_in }, closedFigures, states)) recorded++;
    }
  });
  return { ids, recorded };
}

function findClosedRow(
  open: OpenSite,
  allClosedFigures: readonly ClosedFiguresRow[],
  id: number,
): { closedFigures: ClosedFiguresRow; before: string } | null {
  for (const closedFigures of allClosedFigures) {
    const row = readClosedRow(open, 'payment', toClosedDateRange(closedFigures), id);
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
    ...parseClosedRowFields(before),
    ...{ id, statement_id, kind, paid_on, amount_in_cents, currency, payment_id, gateway_transaction_id },
  });
}
