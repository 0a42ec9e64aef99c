import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../../shared/durable-file.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import { findAuditEntryHash, findAuditLogEnd, isReplacedAuditLog } from './audit-entry-list.ts';

/** Number of audit log entries at one time, with hashes that identify the log. */
export interface AuditAnchor {
  readonly entries: number;
  /** Hash of the last audit log entry. */
  readonly hash: string;
  /** Hash of the first entry, which identifies the books. */
  readonly first: string;
  /** Time at which the anchor was saved, in ISO 8601. */
  readonly at: string;
}

const anchorPath = (folder: string): string => join(folder, 'audit.json');

/** Returns a site's audit anchor, or null if it does not exist or is unreadable. */
export function readAuditAnchor(folder: string): AuditAnchor | null {
  try {
    return parseAnchor(JSON.parse(readFileSync(anchorPath(folder), 'utf8')));
  } catch {
    return null;
  }
}

/** Validates an anchor. Returns null if it is invalid. Uses no schema library, so that it loads fast. */
function parseAnchor(read: unknown): AuditAnchor | null {
  if (typeof read !== 'object' || read === null) return null;
  const { entries, hash, first, at } = read as Record<keyof AuditAnchor, unknown>;
  const isValid = Number.isSafeInteger(entries) && Number(entries) > 0 && isHash(hash) && isHash(first);
  return isValid && typeof at === 'string' ? { entries: Number(entries), hash, first, at } : null;
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Saves the number of audit log entries and the last hash. Never overwrites an anchor that contradicts the log. */
export function writeAuditAnchor(folder: string, books: ReadableDb, now: number): void {
  const end = findAuditLogEnd(books);
  if (end === null) return;
  const before = readAuditAnchor(folder);
  if (before !== null && (before.hash === end.hash || !containsAnchor(books, before))) return;
  const first = findAuditEntryHash(books, 1) ?? end.hash;
  const noted: AuditAnchor = { entries: end.seq, hash: end.hash, first, at: formatTimestamp(now) };
  writeFileDurably(anchorPath(folder), `${JSON.stringify(noted)}\n`);
}

/** Returns true if the audit log still contains the anchor's entry, or records the restore that replaced the entry. */
export function containsAnchor(books: ReadableDb, { entries, hash }: AuditAnchor): boolean {
  return findAuditEntryHash(books, entries) === hash || isReplacedAuditLog(books, hash);
}
