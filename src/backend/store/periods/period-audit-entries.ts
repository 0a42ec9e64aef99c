import type { PeriodState } from '../../../contract/index.ts';
import { type AuditEntryContent, addAuditEntry } from '../audit-log/audit-log.ts';
import type { WritableDb } from '../sqlite/connection.ts';
import { addPeriodEntry, type NewPeriodEntry, type StoredPeriod } from './period.ts';

/** Names of the actions on periods in the audit log. */
const auditActions: Readonly<Record<NewPeriodEntry['action'], string>> = {
  opened: 'periods.open',
  submitted: 'periods.submit',
  approved: 'periods.approve',
  rejected: 'periods.reject',
  closed: 'periods.close',
  reopened: 'periods.reopen',
  noted: 'periods.note',
};
const periodActions = new Map(
  Object.entries(auditActions).map(([action, audited]) => [audited, action as NewPeriodEntry['action']]),
);

/** Audited actions that are recorded in the history of a period. */
export const PERIOD_AUDIT_ACTIONS: readonly string[] = [...periodActions.keys()];

/**
 * Adds an entry to a period's history and to the audit log. `more` are additional details for the log. Returns the
 * sequence number of the history entry, which stores the receipt of the log.
 */
export function recordPeriodEntry(
  books: WritableDb,
  { id, period }: Pick<StoredPeriod, 'id' | 'period'>,
  entry: NewPeriodEntry,
  more: Record<string, unknown> = {},
): number {
  const { at, user, name, action, text, figures, is_self_review, version } = entry;
  const detail = { name, figures, is_self_review: is_self_review === 1, version, ...more };
  const audited = { at, user, action: auditActions[action], subject: period, reason: text, detail };
  return addPeriodEntry(books, id, entry, addAuditEntry(books, audited).hash);
}

/** Returns the period history entry that an audit log entry states, or null if it states none. */
export function parsePeriodAuditEntry({
  at,
  user,
  action,
  reason,
  detail,
}: AuditEntryContent): NewPeriodEntry | null {
  const periodAction = periodActions.get(action);
  if (periodAction === undefined) return null;
  const { name, figures, is_self_review, version } = JSON.parse(detail) as NewPeriodEntry & {
    is_self_review: boolean;
  };
  return {
    ...{ at, name, user, action: periodAction, text: reason === '' ? null : reason, figures },
    ...{ is_self_review: is_self_review ? 1 : 0, version },
  };
}

const statesAfter: Readonly<Partial<Record<NewPeriodEntry['action'], PeriodState>>> = {
  opened: 'open',
  submitted: 'submitted',
  approved: 'reviewed',
  rejected: 'open',
  closed: 'closed',
  reopened: 'open',
};

/** Returns the state of a period after these history entries, oldest first. */
export function derivePeriodState(entries: readonly Pick<NewPeriodEntry, 'action'>[]): PeriodState | 'none' {
  return entries.reduce<PeriodState | 'none'>((state, { action }) => statesAfter[action] ?? state, 'none');
}
