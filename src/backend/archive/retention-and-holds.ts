import { contractError, type Inputs } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { liftHold, placeHold, type Stored } from '../store/archive/archive-hold.ts';
import { retentionOf, setRetention } from '../store/archive/archive-policy.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { commit } from '../store/sqlite/connection.ts';

/** Person who makes a decision, and its time in UTC milliseconds. */
interface Decision {
  readonly now: number;
  readonly user: string;
}

type SiteBooks = Pick<OpenSite, 'books'>;

/** Sets for how many years PDFs must be retained. The years count from the date of the statement. */
export function setRetentionYears(
  { books }: SiteBooks,
  { years, reason }: Pick<Inputs['archive']['retain'], 'years' | 'reason'>,
  { now, user }: Decision,
): void {
  commit(books, () => {
    const before = retentionOf(books);
    setRetention(books, years, now, user);
    const detail = { before, years };
    addAudit(books, { at: now, user, action: 'archive.retain', subject: 'archive', reason: reason, detail });
  });
}

/**
 * Places legal holds on statements, or on all statements of subscriptions. Returns how many of them were not on hold
 * before.
 */
export function placeHolds(
  { books }: SiteBooks,
  { statements = [], subscriptions = [], reason }: Omit<Inputs['archive']['hold'], 'site'>,
  { now, user }: Decision,
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
        subject: formatHoldSubject(on),
        reason: reason,
        detail: { hold },
      });
    }
    return placed;
  });
}

/** Releases all of the given legal holds, or none if one does not exist. Returns their number. */
export function releaseHolds(
  { books }: SiteBooks,
  { holds, reason }: Pick<Inputs['archive']['release'], 'holds' | 'reason'>,
  { now, user }: Decision,
): number {
  return commit(books, () => {
    const ids = new Set(holds);
    for (const hold of ids) {
      const on = liftHold(books, hold, { reason, at: now, user });
      if (on === null) throw contractError(unknownHoldError(hold));
      const subject = formatHoldSubject(on);
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

function formatHoldSubject(on: { statement_id?: number | null; subscription_id?: number | null }): string {
  return on.statement_id == null ? `subscription ${on.subscription_id}` : `statement ${on.statement_id}`;
}

function unknownHoldError(hold: number) {
  return {
    code: 'not_found' as const,
    message: `There is no hold ${hold}, or it was lifted already.`,
    hint: 'None was lifted. See those that stand.',
    retryable: false,
  };
}
