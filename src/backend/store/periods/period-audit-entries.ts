import type { PeriodState } from '../../../contract/index.ts';
import { type CanonicalJson, canonicalJson } from '../../../domain/periods/index.ts';
import { findLastAuditEntry } from '../audit-log/audit-entry-list.ts';
import { type AuditEntryContent, addAuditEntry } from '../audit-log/audit-log.ts';
import { ADD_PERSON_ACTION, SIGNED_ACTION_PATTERN } from '../audit-log/signature-verifier.ts';
import type { EntrySigner } from '../audit-log/signed-entry.ts';
import type { ReadableDb, WritableDb } from '../sqlite/connection.ts';
import { addPeriodEntry, type NewPeriodEntry, type StoredPeriod } from './period.ts';

const auditActions: Readonly<Record<NewPeriodEntry['action'], string>> = {
  opened: 'periods.open',
  submitted: 'periods.submit',
  approved: 'periods.approve',
  rejected: 'periods.reject',
  closed: 'periods.close',
  reopened: 'periods.reopen',
  commented: 'periods.comment',
  answered: 'periods.answer',
  cleared: 'periods.clear',
  explained: 'periods.explain-flux',
};
const periodActions = new Map(
  Object.entries(auditActions).map(([action, audited]) => [audited, action as NewPeriodEntry['action']]),
);

export const PERIOD_SUBMIT_ACTION = auditActions.submitted;

/** Audit actions that also appear in the history of a period. */
export const PERIOD_AUDIT_ACTIONS: readonly string[] = [...periodActions.keys()];

/** Signer of a period history entry, and details for the audit log, for example a signature from another computer. */
export interface PeriodEntryOptions {
  readonly signer?: EntrySigner | null;
  readonly detail?: Record<string, unknown>;
}

/**
 * Adds an entry to a period's history and to the audit log. Before the first entry signed with a key, records the key.
 * Returns the sequence number of the history entry, which stores the log's receipt.
 */
export function recordPeriodEntry(
  books: WritableDb,
  { id, period }: Pick<StoredPeriod, 'id' | 'period'>,
  entry: NewPeriodEntry,
  options: PeriodEntryOptions = {},
): number {
  const signer = isSignedAction(entry.action) ? (options.signer ?? undefined) : undefined;
  const { key } = entry;
  if (key !== null) recordPersonKey(books, { ...entry, key });
  const audited = formatPeriodEntryForLog(period, entry);
  const detail = { ...audited.detail, ...options.detail };
  return addPeriodEntry(books, id, entry, addAuditEntry(books, { ...audited, detail, signer }).hash);
}

/** Formats a period's history entry in the same way as the audit log records it. */
export function formatPeriodEntryForLog(period: string, entry: NewPeriodEntry) {
  const { at, user, action, text, name, figures, is_self_review, version, key, statements, about } = entry;
  const detail = {
    ...{ name, figures, is_self_review: is_self_review === 1, version, key },
    ...(statements === null ? {} : { statements: JSON.parse(statements) as unknown }),
    ...(about === null ? {} : { about: JSON.parse(about) as unknown }),
  };
  return { at, user, action: auditActions[action], subject: period, reason: text, detail };
}

/** Records a person's signing key in the audit log, unless the log already has it. */
function recordPersonKey(
  books: WritableDb,
  { at, user, name, key }: { at: number; user: string; name: string; key: string },
): void {
  if (findPersonKey(books, name) === key) return;
  addAuditEntry(books, { at, user, action: ADD_PERSON_ACTION, subject: name, detail: { key } });
}

/** Returns the public key (hex) that the audit log records for a person, or null. */
export function findPersonKey(books: ReadableDb, name: string): string | null {
  const recorded = findLastAuditEntry(books, ADD_PERSON_ACTION, name);
  return recorded === null ? null : String(recorded.detail['key']);
}

/** Returns true if an action is a sign-off action, which a person must sign. */
export const isSignedAction = (action: NewPeriodEntry['action']): boolean =>
  SIGNED_ACTION_PATTERN.test(auditActions[action]);

/** Returns the period history entry that an audit log entry records, or null if it records none. */
export function parsePeriodAuditEntry({
  at,
  user,
  action,
  reason,
  detail,
}: AuditEntryContent): NewPeriodEntry | null {
  const periodAction = periodActions.get(action);
  if (periodAction === undefined) return null;
  const {
    name,
    figures,
    is_self_review,
    version,
    key = null,
    statements,
    about,
  } = JSON.parse(detail) as Omit<NewPeriodEntry, 'statements' | 'about'> & {
    is_self_review: boolean;
    statements?: CanonicalJson;
    about?: CanonicalJson;
  };
  return {
    ...{ at, name, user, action: periodAction, text: reason === '' ? null : reason, figures },
    ...{ is_self_review: is_self_review ? 1 : 0, version, key },
    statements: statements === undefined ? null : canonicalJson(statements),
    about: about === undefined ? null : canonicalJson(about),
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

/** Returns the state of a period after these history entries, which are sorted oldest first. */
export function derivePeriodState(entries: readonly Pick<NewPeriodEntry, 'action'>[]): PeriodState | 'none' {
  return entries.reduce<PeriodState | 'none'>((state, { action }) => statesAfter[action] ?? state, 'none');
}
