import type { AuditVerdict } from '../../../contract/index.ts';
import { type ReadableDb, select, withReadSnapshot } from '../sqlite/connection.ts';
import type { AuditAnchor } from './audit-anchor.ts';
import { findAuditEntryHash, findAuditLogEnd, isReplacedAuditLog, readAuditLog } from './audit-entry-list.ts';
import { type AuditHead, readAuditHead } from './audit-log.ts';
import { AuditLogVerifier } from './audit-log-verifier.ts';
import type { AuditLogError } from './signature-verifier.ts';

/** Earlier states of the audit log for comparison. */
export interface AuditLogReferences {
  /** Audit anchor saved when the books were last opened or closed. */
  anchor?: AuditAnchor | null;
  /** Hash of a receipt or entry that a person recorded outside Tieout. */
  hash?: string | undefined;
}

/** Recomputes every hash of the audit log. Checks that the log contains the given earlier states. */
export function verifyAuditLog(db: ReadableDb, { anchor, hash }: AuditLogReferences = {}): AuditVerdict {
  return withReadSnapshot(db, () => {
    const entries = select.value<number>(db, 'SELECT count(*) FROM audit') ?? 0;
    const verifier = new AuditLogVerifier(hash === undefined ? [] : [hash]);
    const error =
      findInvalidEntry(db, verifier) ??
      compareWithHead(readAuditHead(db), verifier) ??
      compareWithAnchor(db, entries, anchor ?? null) ??
      (hash !== undefined && verifier.countProvenEntries(hash) === null
        ? { seq: null, reason: UNKNOWN_HASH_MESSAGE }
        : null);
    return {
      ok: error === null,
      entries,
      broken_at: error?.seq ?? null,
      reason: error?.reason ?? null,
      head: findAuditLogEnd(db)?.hash ?? null,
      receipt: verifier.receipt(),
      known_hash_seq: hash === undefined ? null : verifier.countProvenEntries(hash),
    };
  });
}

/** Error message for a receipt or entry hash that the log never had. */
export const UNKNOWN_HASH_MESSAGE =
  'The receipt matches no state of the log. The log was rewritten, or the receipt belongs to another site’s log.';

function findInvalidEntry(db: ReadableDb, verifier: AuditLogVerifier): AuditLogError | null {
  for (const entry of readAuditLog(db)) {
    const error = verifier.add(entry);
    if (error !== null) return error;
  }
  return null;
}

/** Compares the verified log with the separately stored last entry. */
function compareWithHead(head: AuditHead | null, verifier: AuditLogVerifier): AuditLogError | null {
  const seq = verifier.entries;
  if (head === null) return seq === 0 ? null : { seq, reason: 'The record of the last entry is missing.' };
  if (head.seq > seq)
    return { seq: seq + 1, reason: `Entry ${seq + 1} is missing; the log had ${head.seq}.` };
  if (head.seq < seq || head.hash !== verifier.last || !verifier.subtrees().equals(head.subtrees))
    return { seq, reason: `Entry ${seq} is not the recorded last entry.` };
  return null;
}

function compareWithAnchor(db: ReadableDb, entries: number, note: AuditAnchor | null): AuditLogError | null {
  if (
    note === null ||
    findAuditEntryHash(db, note.entries) === note.hash ||
    isReplacedAuditLog(db, note.hash)
  )
    return null;
  const day = note.at.slice(0, 10);
  if (note.entries > entries) {
    const seq = entries + 1;
    const reason = `Entry ${seq} is missing: on ${day} the log had ${note.entries} entries. Entries were removed from its end, or an older backup was restored.`;
    return { seq, reason };
  }
  const reason = `Entry ${note.entries} differs from the entry on ${day}. The log was rewritten.`;
  return { seq: note.entries, reason };
}
