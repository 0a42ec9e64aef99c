import { hash } from 'node:crypto';
import { prepared, type WritableDb } from '../sqlite/connection.ts';

/** Previous hash of the first entry. */
export const BEGINNING = '0'.repeat(64);

export interface NewAuditEntry {
  /** UTC milliseconds. */
  at: number;
  /** The user of this computer. */
  user: string;
  /** Noun and verb, for example `replay.run`. */
  action: string;
  /** What the action was performed on. */
  subject: string;
  /** The reason given, or null if none was required. */
  reason?: string | null;
  detail: Record<string, unknown>;
}

/** Adds an entry to the audit log. It contains the hash of the previous entry, so that a change anywhere is detected. */
export function addAudit(db: WritableDb, { at, user, action, subject, reason, detail }: NewAuditEntry): void {
  const last = prepared<string>(db, 'SELECT hash FROM audit ORDER BY seq DESC LIMIT 1').pluck().get();
  const previous_hash = last ?? BEGINNING;
  const content = { at, user, action, subject, reason: reason ?? '', detail: JSON.stringify(detail) };
  prepared(
    db,
    'INSERT INTO audit (at, user, action, subject, reason, detail, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    at,
    user,
    action,
    subject,
    content.reason,
    content.detail,
    previous_hash,
    auditHash(previous_hash, content),
  );
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

/**
 * Returns the SHA-256 in hex. Entries from before users were recorded have neither user nor reason, and their hash has no
 * place for them.
 */
export function auditHash(
  previous: string,
  { at, user, action, subject, reason, detail }: AuditContent,
): string {
  const content =
    user === '' && reason === ''
      ? [previous, at, action, subject, detail]
      : [previous, at, user, action, subject, reason, detail];
  return hash('sha256', JSON.stringify(content), 'hex');
}
