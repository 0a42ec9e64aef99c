import { type ContractInputs, createContractError, createNonRetryableError } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { type LegalHoldSubject, placeLegalHold, releaseLegalHold } from '../store/archive/archive-hold.ts';
import { getRetentionYears, storeRetentionYears } from '../store/archive/retention-policy.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';

/** Person who makes a decision, and its time in UTC milliseconds. */
interface Decision {
  readonly now: number;
  readonly user: string;
}

type SiteBooks = Pick<OpenSite, 'books'>;

/** Sets for how many years PDFs must be retained. The years count from the date of the statement. */
export function setRetentionYears(
  { books }: SiteBooks,
  { years, reason }: Pick<ContractInputs['archive']['retain'], 'years' | 'reason'>,
  { now, user }: Decision,
): void {
  runInTransaction(books, () => {
    const before = getRetentionYears(books);
    storeRetentionYears(books, years, now, user);
    const entry = { at: now, user, action: 'archive.retain', subject: 'archive', reason };
    addAuditEntry(books, { ...entry, detail: { before, years } });
  });
}

/** Places legal holds on statements and on all statements of subscriptions. Returns how many were not on hold before. */
export function placeLegalHolds(
  { books }: SiteBooks,
  { statements = [], subscriptions = [], reason }: Omit<ContractInputs['archive']['hold'], 'site'>,
  { now, user }: Decision,
): number {
  const all: LegalHoldSubject[] = [
    ...statements.map((statement_id) => ({ statement_id })),
    ...subscriptions.map((subscription_id) => ({ subscription_id })),
  ];
  if (all.length === 0) {
    const message = 'Select the statements or subscriptions to put on hold.';
    const errors = [`statements: ${message}`];
    throw createContractError({ code: 'validation', message, errors, retryable: false });
  }
  return runInTransaction(books, () => {
    let placed = 0;
    for (const on of all) {
      const hold = placeLegalHold(books, on, { reason, at: now, user });
      if (hold === null) continue;
      placed++;
      const subject = formatHoldSubject(on);
      addAuditEntry(books, { at: now, user, action: 'archive.hold', subject, reason, detail: { hold } });
    }
    return placed;
  });
}

/** Releases all of the given legal holds, or none if one does not exist. Returns their number. Throws `not_found`. */
export function releaseLegalHolds(
  { books }: SiteBooks,
  { holds, reason }: Pick<ContractInputs['archive']['release'], 'holds' | 'reason'>,
  { now, user }: Decision,
): number {
  return runInTransaction(books, () => {
    const ids = new Set(holds);
    for (const hold of ids) {
      const on = releaseLegalHold(books, hold, { reason, at: now, user });
      if (on === null) {
        const message = `Hold ${hold} does not exist or was already released.`;
        throw createNonRetryableError(
          'not_found',
          message,
          'No hold was released. See the list of active holds.',
        );
      }
      const subject = formatHoldSubject(on);
      addAuditEntry(books, { at: now, user, action: 'archive.release', subject, reason, detail: { hold } });
    }
    return ids.size;
  });
}

function formatHoldSubject(on: { statement_id?: number | null; subscription_id?: number | null }): string {
  return on.statement_id == null ? `subscription ${on.subscription_id}` : `statement ${on.statement_id}`;
}
