import { contractError, type Inputs } from '../../contract/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { type Held, liftHold, placeHold } from '../store/archive/archive-hold.ts';
import { retentionOf, setRetention } from '../store/archive/archive-policy.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';

/** Who decides, and when (ms UTC). */
interface Deciding {
  readonly now: number;
  readonly who: string;
}

type Books = Pick<OpenSite, 'books'>;

/** Decides for how many years from their dates documents are kept. */
export function retain(
  { books }: Books,
  { years, reason }: Pick<Inputs['archive']['retain'], 'years' | 'reason'>,
  { now, who }: Deciding,
): void {
  commit(books, () => {
    const before = retentionOf(books);
    setRetention(books, years, now, who);
    const detail = { before, years };
    addAudit(books, { at: now, who, action: 'archive.retain', subject: 'archive', why: reason, detail });
  });
}

/** Holds statements, or all of subscriptions, back from deletion; gives how many were not on hold yet. */
export function holdBack(
  { books }: Books,
  { statements = [], subscriptions = [], reason }: Omit<Inputs['archive']['hold'], 'site'>,
  { now, who }: Deciding,
): number {
  const all: Held[] = [
    ...statements.map((statement_id) => ({ statement_id })),
    ...subscriptions.map((subscription_id) => ({ subscription_id })),
  ];
  if (all.length === 0) {
    const message = 'A hold needs the statements or the subscriptions it is on.';
    throw contractError({
      code: 'validation',
      message,
      errors: [`statements: ${message}`],
      retryable: false,
    });
  }
  return commit(books, () => {
    let placed = 0;
    for (const on of all) {
      const hold = placeHold(books, on, { reason, at: now, who });
      if (hold === null) continue;
      placed++;
      addAudit(books, {
        at: now,
        who,
        action: 'archive.hold',
        subject: named(on),
        why: reason,
        detail: { hold },
      });
    }
    return placed;
  });
}

/** Lifts holds, all of them or none; gives how many. */
export function release(
  { books }: Books,
  { holds, reason }: Pick<Inputs['archive']['release'], 'holds' | 'reason'>,
  { now, who }: Deciding,
): number {
  return commit(books, () => {
    const ids = new Set(holds);
    for (const hold of ids) {
      const on = liftHold(books, hold, { reason, at: now, who });
      if (on === null) throw contractError(noHold(hold));
      const subject = named(on);
      addAudit(books, { at: now, who, action: 'archive.release', subject, why: reason, detail: { hold } });
    }
    return ids.size;
  });
}

function named(on: { statement_id?: number | null; subscription_id?: number | null }): string {
  return on.statement_id == null ? `subscription ${on.subscription_id}` : `statement ${on.statement_id}`;
}

function noHold(hold: number) {
  return {
    code: 'not_found' as const,
    message: `There is no hold ${hold}, or it was lifted already.`,
    hint: 'None was lifted. See those that stand.',
    retryable: false,
  };
}
