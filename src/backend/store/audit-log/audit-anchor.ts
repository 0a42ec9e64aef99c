import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../../shared/durable-file.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import { auditEnd, hashOfEntry, isReplaced } from './audit-list.ts';

/** Length of the audit log at an instant, and the hash of its last entry then. */
const anchor = z.object({
  entries: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string(),
});
export type AuditAnchor = z.infer<typeof anchor>;

const anchorPath = (folder: string): string => join(folder, 'audit.json');

/** Returns a site's audit anchor, or null if there is none or it is unreadable. */
export function readAnchor(folder: string): AuditAnchor | null {
  try {
    return anchor.parse(JSON.parse(readFileSync(anchorPath(folder), 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Saves the end of the audit log beside the books when they are opened and closed. A log that was truncated, rewritten or
 * replaced by an older copy does not match it. A mismatching anchor is evidence and is not overwritten. After a restore
 * by the app, the log names the log it replaced.
 */
export function noteAnchor(folder: string, books: ReadableDb, now: number): void {
  const end = auditEnd(books);
  if (end === null) return;
  const before = readAnchor(folder);
  if (
    before !== null &&
    (before.hash === end.hash || !(isStored(books, before) || isReplaced(books, before.hash)))
  )
    return;
  const noted: AuditAnchor = { entries: end.seq, hash: end.hash, at: formatTimestamp(now) };
  writeFileDurably(anchorPath(folder), `${JSON.stringify(noted)}\n`);
}

/** Returns true if the log still contains the recorded entry at its position. */
function isStored(books: ReadableDb, { entries, hash }: AuditAnchor): boolean {
  return hashOfEntry(books, entries) === hash;
}
