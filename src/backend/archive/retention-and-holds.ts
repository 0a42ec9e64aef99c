import { contractError, type Inputs } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { liftHold, placeHold, type Stored } from '../store/archive/archive-hold.ts';
import { retentionOf, setRetention } from '../store/archive/archive-policy.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { commit } from '../store/sqlite/connection.ts';

/** The deciding user and the time (UTC milliseconds). */
interface Deciding {
  readonly now: number;
  readonly user: string;
}

type Books = Pick<OpenSite, 'books'>;

/** Sets the retention in years from the documents' dates. */
export function setRetentionYears(
  { books }: Books,
  { years, reason }: Pick<Inputs['archive']['retain'], 'years' | 'reason'>,
  { now, user }: Deciding,
): void {
  commit(books, () => {
    const before = retentionOf(books);
    setRetention(books, years, now, user);
    const detail = { before, years };
    addAudit(books, { at: now, user, action: 'archive.retain', subject: 'archive', reason: reason, detail });
  });
}

/** Places a legal hold on statements or on all statements of subscriptions. Returns how many were not on hold before. */
export function placeHolds(
  { books }: Books,
  { statements = [], subscriptions = [], reason }: Omit<Inputs['archive']['hold'], 'site'>,
  { now, user }: Deciding,
): number {
  const all: Stored[] = [
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
      const hold = placeHold(books, on, { reason, at: now, user });
      if (hold === null) continue;
      placed++;
      addAudit(books, {
        at: now,
        user,
        action: 'archive.hold',
        subject: named(on),
        reason: reason,
        detail: { hold },
      });
    }
    return placed;
  });
}

/** Releases all of the given holds or none. Returns their number. */
export function releaseHolds(
  { books }: Books,
  { holds, reason }: Pick<Inputs['archive']['release'], 'holds' | 'reason'>,
  { now, user }: Deciding,
): number {
  return commit(books, () => {
    const ids = new Set(holds);
    for (const hold of ids) {
      const on = liftHold(books, hold, { reason, at: now, user });
      if (on === null) throw contractError(noHold(hold));
      const subject = named(on);
      addAudit(books, {
        at: now,
        user,
        action: 'archive.release',
        subject,
        reason: reason,
        detail: { hold },
      });
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
