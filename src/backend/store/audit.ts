import { hash } from 'node:crypto';
import { prepared, type WritableDb } from './database.ts';

/** What the first entry names as the one before it. */
const BEGINNING = '0'.repeat(64);

export interface AuditEntry {
  /** ms UTC. */
  at: number;
  /** In the form noun.verb, as `replay.run`. */
  action: string;
  /** What it was done to. */
  subject: string;
  detail: Record<string, unknown>;
}

/** Adds an entry to the audit log; it carries the hash of the one before it, so that a change anywhere shows. */
export function addAudit(db: WritableDb, entry: AuditEntry): void {
  const last = prepared<string>(db, 'SELECT hash FROM audit ORDER BY seq DESC LIMIT 1').pluck().get();
  const previous = last ?? BEGINNING;
  const detail = JSON.stringify(entry.detail);
  prepared(
    db,
    'INSERT INTO audit (at, action, subject, detail, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(entry.at, entry.action, entry.subject, detail, previous, auditHash(previous, entry, detail));
}

function auditHash(previous: string, { at, action, subject }: AuditEntry, detail: string): string {
  return hash('sha256', JSON.stringify([previous, at, action, subject, detail]), 'hex');
}
