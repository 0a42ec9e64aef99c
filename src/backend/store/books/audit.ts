import { hash } from 'node:crypto';
import { prepared, type WritableDb } from '../database.ts';

/** What the first entry names as the one before it. */
export const BEGINNING = '0'.repeat(64);

export interface NewAuditEntry {
  /** ms UTC. */
  at: number;
  /** The user of this computer. */
  who: string;
  /** In the form noun.verb, as `replay.run`. */
  action: string;
  /** What it was done to. */
  subject: string;
  /** The reason given; null where none was asked for. */
  why?: string | null;
  detail: Record<string, unknown>;
}

/** Adds an entry to the audit log; it carries the hash of the one before it, so that a change anywhere shows. */
export function addAudit(db: WritableDb, { at, who, action, subject, why, detail }: NewAuditEntry): void {
  const last = prepared<string>(db, 'SELECT hash FROM audit ORDER BY seq DESC LIMIT 1').pluck().get();
  const previous_hash = last ?? BEGINNING;
  const content = { at, who, action, subject, why: why ?? '', detail: JSON.stringify(detail) };
  prepared(
    db,
    'INSERT INTO audit (at, who, action, subject, why, detail, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    at,
    who,
    action,
    subject,
    content.why,
    content.detail,
    previous_hash,
    auditHash(previous_hash, content),
  );
}

/** What of an entry is hashed, as it is stored. */
export interface AuditContent {
  at: number;
  who: string;
  action: string;
  subject: string;
  why: string;
  detail: string;
}

/** SHA-256 in hex. Entries from before there were names have neither `who` nor `why`, and no place for them. */
export function auditHash(previous: string, { at, who, action, subject, why, detail }: AuditContent): string {
  const content =
    who === '' && why === ''
      ? [previous, at, action, subject, detail]
      : [previous, at, who, action, subject, why, detail];
  return hash('sha256', JSON.stringify(content), 'hex');
}
