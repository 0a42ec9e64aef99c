import { hash } from 'node:crypto';
import { select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

/** Previous hash of the first entry. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64);

export interface NewAuditEntry {
  /** UTC milliseconds. */
  at: number;
  /** The user of this computer. */
  user: string;
  /** Noun and verb, for example `replay.run`. */
  action: string;
  /** Record that the action changed. */
  subject: string;
  /** The reason given, or null if none was required. */
  reason?: string | null;
  detail: Record<string, unknown>;
}

/** Adds an entry to the audit log. It contains the hash of the previous entry, so that a change anywhere is detected. */
export function addAuditEntry(db: WritableDb, entry: NewAuditEntry): void {
  const { at, user, action, subject, reason, detail } = entry;
  const last = select.value<string>(db, 'SELECT hash FROM audit ORDER BY seq DESC LIMIT 1');
  const previous_hash = last ?? FIRST_PREVIOUS_HASH;
  const content = { at, user, action, subject, reason: reason ?? '', detail: JSON.stringify(detail) };
  insertRow(db, 'audit', { ...content, previous_hash, hash: hashAuditEntry(previous_hash, content) });
}

/** The hashed fields of an entry, as stored. */
export interface AuditContent {
  at: number;
  user: string;
  action: string;
  subject: string;
  reason: string;
  detail: string;
}

/** Returns the SHA-256 in hex. Entries from before users were recorded are hashed without user and reason. */
export function hashAuditEntry(
  previous: string,
  { at, user, action, subject, reason, detail }: AuditContent,
): string {
  const content =
    user === '' && reason === ''
      ? [previous, at, action, subject, detail]
      : [previous, at, user, action, subject, reason, detail];
  return hash('sha256', JSON.stringify(content), 'hex');
}
