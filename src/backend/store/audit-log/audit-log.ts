import { hash } from 'node:crypto';
import { select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

/** Value that the first entry of the audit log has as its previous hash. */
export const AUDIT_GENESIS_HASH = '0'.repeat(64);

export interface NewAuditEntry {
  /** Time of the action in UTC milliseconds. */
  at: number;
  /** Name of the computer's current user. */
  user: string;
  /** Audited action as noun and verb, for example `replay.run`. */
  action: string;
  /** Record that the audited action changed. */
  subject: string;
  /** Reason for the action, or null if none was required. */
  reason?: string | null;
  detail: Record<string, unknown>;
}

/** Adds an entry to the audit log. It contains the previous entry's hash, so that any later change is detected. */
export function addAuditEntry(db: WritableDb, entry: NewAuditEntry): void {
  const { at, user, action, subject, reason, detail } = entry;
  const last = select.value<string>(db, 'SELECT hash FROM audit ORDER BY seq DESC LIMIT 1');
  const previous_hash = last ?? AUDIT_GENESIS_HASH;
  const content = { at, user, action, subject, reason: reason ?? '', detail: JSON.stringify(detail) };
  insertRow(db, 'audit', { ...content, previous_hash, hash: hashAuditEntry(previous_hash, content) });
}

/** Fields of an audit log entry that its hash covers, as stored. */
export interface AuditEntryContent {
  at: number;
  user: string;
  action: string;
  subject: string;
  reason: string;
  detail: string;
}

/** Returns an audit entry's SHA-256 in hex. Entries older than user recording are hashed without user and reason. */
export function hashAuditEntry(
  previous: string,
  { at, user, action, subject, reason, detail }: AuditEntryContent,
): string {
  const content =
    user === '' && reason === ''
      ? [previous, at, action, subject, detail]
      : [previous, at, user, action, subject, reason, detail];
  return hash('sha256', JSON.stringify(content), 'hex');
}
