import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../../shared/durable-file.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import { findAuditEnd, findEntryHash, isReplacedLog } from './audit-list.ts';

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

/** Saves the end of the audit log. An anchor that contradicts the log is evidence and is never overwritten. */
export function saveAnchor(folder: string, books: ReadableDb, now: number): void {
  const end = findAuditEnd(books);
  if (end === null) return;
  const before = readAnchor(folder);
  if (
    before !== null &&
    (before.hash === end.hash || !(isStored(books, before) || isReplacedLog(books, before.hash)))
  )
    return;
  const noted: AuditAnchor = { entries: end.seq, hash: end.hash, at: formatTimestamp(now) };
  writeFileDurably(anchorPath(folder), `${JSON.stringify(noted)}\n`);
}

/** Returns true if the log still contains the recorded entry at its position. */
function isStored(books: ReadableDb, { entries, hash }: AuditAnchor): boolean {
  return findEntryHash(books, entries) === hash;
}
