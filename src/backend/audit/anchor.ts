import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../sites/durable-file.ts';
import { auditEnd, hashOfEntry, isReplaced } from '../store/books/audit-list.ts';
import type { ReadableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';

/** How long the audit log was at a moment, and the hash of its last entry then. */
const anchor = z.object({
  entries: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string(),
});
export type AuditAnchor = z.infer<typeof anchor>;

const anchorPath = (folder: string): string => join(folder, 'audit.json');

/** What was noted of a site’s audit log beside its books; null where nothing was, or the note cannot be read. */
export function readAnchor(folder: string): AuditAnchor | null {
  try {
    return anchor.parse(JSON.parse(readFileSync(anchorPath(folder), 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Notes the end of the audit log beside the books, when they are opened and closed: a log that was cut off, or written anew, or
 * an older copy of the books put back by hand, does not fit it. A note that does not fit is evidence, and stays; where a copy was restored by
 * the app, its log says which one it took the place of.
 */
export function noteAnchor(folder: string, books: ReadableDb, now: number): void {
  const end = auditEnd(books);
  if (end === null) return;
  const before = readAnchor(folder);
  if (
    before !== null &&
    (before.hash === end.hash || !(isHeld(books, before) || isReplaced(books, before.hash)))
  )
    return;
  const noted: AuditAnchor = { entries: end.seq, hash: end.hash, at: isoMoment(now) };
  writeDurably(anchorPath(folder), `${JSON.stringify(noted)}\n`);
}

/** Whether the log still has, where it was, the entry that was noted. */
function isHeld(books: ReadableDb, { entries, hash }: AuditAnchor): boolean {
  return hashOfEntry(books, entries) === hash;
}
