import { canonicalJson } from '../../domain/periods/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { commit, type ReadableDb } from '../store/database.ts';
import type { StoredPayment } from '../store/matching/match-payment.ts';
import { driftingRows } from '../store/periods/period-drift.ts';
import { lockedPayments } from '../store/periods/period-lock.ts';
import { sealedRowOf } from '../store/periods/sealed-rows.ts';
import { type DriftCause, fieldsOf, forceOf, noteStates, type Seal, spanOf } from './drift.ts';

/** The seals in force, and the payments of which drift stands. */
export interface SignedPayments {
  readonly seals: readonly Seal[];
  readonly lands_in: string;
  readonly drifting: ReadonlySet<number>;
}

/** Null where nothing is signed. */
export function signedPayments(books: ReadableDb): SignedPayments | null {
  const force = forceOf(books);
  if (force === null) return null;
  const drifting = force.seals.flatMap(({ id }) =>
    driftingRows(books, id, 'payment').flatMap(({ row, what }) => (what === 'added' ? [] : [row])),
  );
  return { ...force, drifting: new Set(drifting) };
}

/**
 * Of payments that the service now says otherwise, or no more (`others`), those that are otherwise than they were signed: they are noted, and stay.
 * What was noted before and is as signed again is ended. Gives the ids of those that stay, and how many were written of.
 */
export function notePayments(
  open: OpenSite,
  signed: SignedPayments | null,
  held: readonly StoredPayment[],
  now: ReadonlyMap<number, StoredPayment>,
  others: readonly { id: number }[],
  cause: DriftCause,
): { ids: ReadonlySet<number>; noted: number } {
  if (signed === null) return { ids: new Set(), noted: 0 };
  const { books, file } = open;
  const locked = lockedPayments(
    books,
    others.map(({ id }) => id),
  );
  const wanted = held.filter(({ id }) => locked.has(id) || signed.drifting.has(id));
  const ids = new Set<number>();
  if (wanted.length === 0) return { ids, noted: 0 };
  return commit(books, () => {
    let noted = 0;
    for (const { id } of wanted) {
      const found = foundIn(open, signed.seals, id);
      if (found === null) continue;
      const { seal, before } = found;
      const after = nowOf(before, now.get(id));
      if (after !== before) ids.add(id);
      const where = { lands_in: signed.lands_in, currency: file.currency };
      if (noteStates(books, seal, { kind: 'payment', row: id, before, after }, cause, where)) noted++;
    }
    return { ids, noted };
  });
}

function foundIn(open: OpenSite, seals: readonly Seal[], id: number): { seal: Seal; before: string } | null {
  for (const seal of seals) {
    const row = sealedRowOf(open, 'payment', spanOf(seal), id);
    if (row !== null) return { seal, before: row.text };
  }
  return null;
}

/** What the service says, in the words of what was sealed. */
function nowOf(before: string, payment: StoredPayment | undefined): string | null {
  if (payment === undefined) return null;
  const { id, statement_id, kind, paid_on, amount_in_cents, currency, payment_id, gateway_transaction_id } =
    payment;
  return canonicalJson({
    ...fieldsOf(before),
    ...{ id, statement_id, kind, paid_on, amount_in_cents, currency, payment_id, gateway_transaction_id },
  });
}
