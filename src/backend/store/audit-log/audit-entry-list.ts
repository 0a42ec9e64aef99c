import type { AuditEntry, AuditVerdict, ContractOutputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { orderByColumn, planListScans, readRowPage } from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIf } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, select, withReadSnapshot } from '../sqlite/connection.ts';
import { AUDIT_GENESIS_HASH, type AuditEntryContent, hashAuditEntry } from './audit-log.ts';

export interface AuditQuery {
  filter: { action?: string | undefined; subject?: string | undefined };
  after?: string | undefined;
  limit: number;
}

interface StoredEntry extends AuditEntryContent {
  seq: number;
  previous_hash: string;
  hash: string;
}

const columns = 'seq, at, user, action, subject, reason, detail, previous_hash, hash';

/** Lists audit log entries, newest first. */
export function listAuditEntries(db: ReadableDb, query: AuditQuery): ContractOutputs['audit']['list'] {
  const { action, subject } = query.filter;
  const ofAction =
    action === undefined || action.includes('.')
      ? whereEqual('action', action)
      : whereIf('action >= ? AND action < ?', `${action}.`, `${action}/`);
  const scan = { from: 'audit', ...joinConditions(ofAction, whereEqual('subject', subject)) };
  const plan = planListScans(orderByColumn('audit', 'seq', 'desc'), [scan]);
  const sql = `SELECT ${columns} FROM audit WHERE seq = ?`;
  return readRowPage(db, plan, query, ([seq]) => toAuditEntry(select.row<StoredEntry>(db, sql, seq!)!));
}

function toAuditEntry({ seq, at, user, action, subject, reason, detail, hash }: StoredEntry): AuditEntry {
  return {
    seq,
    at: formatTimestamp(at),
    user: user === '' ? 'unknown' : user,
    action,
    subject,
    reason: reason === '' ? null : reason,
    detail: JSON.parse(detail) as AuditEntry['detail'],
    hash,
  };
}

/** Returns the latest audit log entry for an action on a subject, or null. */
export function findLastAuditEntry(db: ReadableDb, action: string, subject: string): AuditEntry | null {
  const sql = `SELECT ${columns} FROM audit WHERE action = ? AND subject = ? ORDER BY seq DESC LIMIT 1`;
  const entry = prepareSql<StoredEntry>(db, sql).get(action, subject);
  return entry === undefined ? null : toAuditEntry(entry);
}

/** Returns the sequence number and hash of the last audit log entry, or null if the log is empty. */
export function findAuditLogEnd(db: ReadableDb): { seq: number; hash: string } | null {
  const sql = 'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1';
  return select.row<{ seq: number; hash: string }>(db, sql);
}

export function findAuditEntryHash(db: ReadableDb, seq: number): string | null {
  return select.value<string>(db, 'SELECT hash FROM audit WHERE seq = ?', seq);
}

/** Returns true if a recorded restore replaced an audit log that ended with this hash. */
export function isReplacedAuditLog(db: ReadableDb, hash: string): boolean {
  const sql =
    "SELECT 1 FROM audit WHERE action = 'backups.restore' AND json_extract(detail, '$.replaced_hash') = ?";
  return prepareSql(db, sql).get(hash) !== undefined;
}

/** Earlier states of the audit log, against which it is verified. */
export interface AuditLogReferences {
  /** Audit anchor saved when the books were last opened or closed. */
  anchor?: { entries: number; hash: string; at: string } | null;
  /** Hash of an earlier entry that a person recorded outside Tieout. */
  hash?: string | undefined;
}

/** Recomputes every hash of the audit log and checks that the log contains the given earlier states. */
export function verifyAuditLog(db: ReadableDb, notes: AuditLogReferences = {}): AuditVerdict {
  return withReadSnapshot(db, () => {
    const entries = select.value<number>(db, 'SELECT count(*) FROM audit') ?? 0;
    const head = prepareSql<{ seq: number; hash: string }>(db, 'SELECT seq, hash FROM audit_head').get();
    const known_hash_seq = findEntryByHash(db, notes.hash);
    const broken =
      findBrokenEntry(db, head) ??
      compareWithAnchor(db, entries, notes.anchor ?? null) ??
      (notes.hash !== undefined && known_hash_seq === null ? { seq: null, reason: UNKNOWN_HASH } : null);
    return {
      ok: broken === null,
      entries,
      broken_at: broken?.seq ?? null,
      reason: broken?.reason ?? null,
      head: findAuditLogEnd(db)?.hash ?? null,
      known_hash_seq,
    };
  });
}

const UNKNOWN_HASH =
  'No entry has the recorded hash. The log was rewritten, or the hash belongs to another site’s log.';

function findEntryByHash(db: ReadableDb, hash: string | undefined): number | null {
  if (hash === undefined) return null;
  return select.value<number>(db, 'SELECT seq FROM audit WHERE hash = ?', hash);
}

function compareWithAnchor(
  db: ReadableDb,
  entries: number,
  note: { entries: number; hash: string; at: string } | null,
): { seq: number; reason: string } | null {
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

function findBrokenEntry(
  db: ReadableDb,
  head: { seq: number; hash: string } | undefined,
): { seq: number; reason: string } | null {
  let previous = AUDIT_GENESIS_HASH;
  let seq = 0;
  for (const entry of prepareSql<StoredEntry>(db, `SELECT ${columns} FROM audit ORDER BY seq`).iterate()) {
    seq++;
    if (entry.seq !== seq) return { seq, reason: `Entry ${seq} is missing.` };
    if (entry.previous_hash !== previous) {
      return {
        seq,
        reason: `Entry ${seq} does not follow the previous entry: one of the two was changed.`,
      };
    }
    if (hashAuditEntry(previous, entry) !== entry.hash) {
      return { seq, reason: `Entry ${seq} was changed after it was written.` };
    }
    previous = entry.hash;
  }
  if (head === undefined)
    return seq === 0 ? null : { seq, reason: 'The record of the last entry is missing.' };
  if (head.seq > seq)
    return { seq: seq + 1, reason: `Entry ${seq + 1} is missing; the log had ${head.seq}.` };
  if (head.seq < seq || head.hash !== previous) {
    return { seq, reason: `Entry ${seq} is not the recorded last entry.` };
  }
  return null;
}
