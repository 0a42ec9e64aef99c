import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../../shared/durable-file.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import { findAuditEntryHash, findAuditLogEnd, isReplacedAuditLog } from './audit-entry-list.ts';

/** Number of audit log entries at an instant, and the hash of the last entry at that instant. */
const anchor = z.object({
  entries: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string(),
});
export type AuditAnchor = z.infer<typeof anchor>;

const anchorPath = (folder: string): string => join(folder, 'audit.json');

/** Returns a site's audit anchor, or null if it does not exist or is unreadable. */
export function readAuditAnchor(folder: string): AuditAnchor | null {
  try {
    return anchor.parse(JSON.parse(readFileSync(anchorPath(folder), 'utf8')));
  } catch {
    return null;
  }
}

/** Saves the number and last hash of the audit log's entries. Never overwrites an anchor that contradicts the log. */
export function writeAuditAnchor(folder: string, books: ReadableDb, now: number): void {
  const end = findAuditLogEnd(books);
  if (end === null) return;
  const before = readAuditAnchor(folder);
  if (
    before !== null &&
    (before.hash === end.hash || !(isStored(books, before) || isReplacedAuditLog(books, before.hash)))
  )
    return;
  const noted: AuditAnchor = { entries: end.seq, hash: end.hash, at: formatTimestamp(now) };
  writeFileDurably(anchorPath(folder), `${JSON.stringify(noted)}\n`);
}

/** Returns true if the audit log still contains the anchor's entry at its position. */
function isStored(books: ReadableDb, { entries, hash }: AuditAnchor): boolean {
  return findAuditEntryHash(books, entries) === hash;
}
