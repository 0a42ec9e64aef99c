import type { AuditEntry, AuditVerdict, Outputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type Branch, countRows, type Reading, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, snapshot } from '../sqlite/connection.ts';
import { type AuditContent, auditHash, BEGINNING } from './audit-log.ts';

export interface AuditQuery {
  filter: { action?: string | undefined; subject?: string | undefined };
  after?: string | undefined;
  limit: number;
}

interface StoredEntry extends AuditContent {
  seq: number;
  previous_hash: string;
  hash: string;
}

const columns = 'seq, at, user, action, subject, reason, detail, previous_hash, hash';

/** Lists entries, newest first. */
export function listAudit(db: ReadableDb, { filter, after, limit }: AuditQuery): Outputs['audit']['list'] {
  const branch: Branch = { from: 'audit', where: [], bound: [] };
  const { action, subject } = filter;
  const branches: Branch[] = [
    {
      ...branch,
      where: [
        ...(action === undefined
          ? []
          : action.includes('.')
            ? ['action = ?']
            : ['action >= ? AND action < ?']),
        ...(subject === undefined ? [] : ['subject = ?']),
      ],
      bound: [
        ...(action === undefined ? [] : action.includes('.') ? [action] : [`${action}.`, `${action}/`]),
        ...(subject === undefined ? [] : [subject]),
      ],
    },
  ];
  const reading: Reading = {
    order: { name: 'audit', columns: [{ name: 'seq', type: 'number' }], direction: 'desc' },
    groups: [{ lead: [], branches }],
    edge: null,
  };
  const { keys, next } = readPage(db, reading, { after, limit });
  return {
    rows: keys.map(([seq]) =>
      shown(prepared<StoredEntry>(db, `SELECT ${columns} FROM audit WHERE seq = ?`).get(seq!)!),
    ),
    next,
    total: after === undefined ? { count: countRows(db, branches), exact: true } : null,
  };
}

function shown({ seq, at, user, action, subject, reason, detail, hash }: StoredEntry): AuditEntry {
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

/** Returns the latest entry of an action on a subject, or null. */
export function lastEntry(db: ReadableDb, action: string, subject: string): AuditEntry | null {
  const sql = `SELECT ${columns} FROM audit WHERE action = ? AND subject = ? ORDER BY seq DESC LIMIT 1`;
  const entry = prepared<StoredEntry>(db, sql).get(action, subject);
  return entry === undefined ? null : shown(entry);
}

/** Returns the last entry of the log, or null before the first. */
export function auditEnd(db: ReadableDb): { seq: number; hash: string } | null {
  const sql = 'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1';
  return prepared<{ seq: number; hash: string }>(db, sql).get() ?? null;
}

export function hashOfEntry(db: ReadableDb, seq: number): string | null {
  return prepared<string>(db, 'SELECT hash FROM audit WHERE seq = ?').pluck().get(seq) ?? null;
}

/** Returns true if the log replaced one that ended with this hash, by a restore recorded in it. */
export function isReplaced(db: ReadableDb, hash: string): boolean {
  const sql =
    "SELECT 1 FROM audit WHERE action = 'backups.restore' AND json_extract(detail, '$.replaced_hash') = ?";
  return prepared(db, sql).get(hash) !== undefined;
}

/** Records about the log from elsewhere, to compare it with. */
export interface Notes {
  /** The audit anchor, saved when the books were last opened or closed. */
  beside?: { entries: number; hash: string; at: string } | null;
  /** A hash that a person has kept. */
  hash?: string | undefined;
}

/** Recomputes every hash of the audit log and compares its end with the given records. */
export function verifyAudit(db: ReadableDb, notes: Notes = {}): AuditVerdict {
  return snapshot(db, () => {
    const entries = prepared<number>(db, 'SELECT count(*) FROM audit').pluck().get() ?? 0;
    const head = prepared<{ seq: number; hash: string }>(db, 'SELECT seq, hash FROM audit_head').get();
    const known_hash_seq = entryWith(db, notes.hash);
    const broken =
      firstBroken(db, head) ??
      againstNote(db, entries, notes.beside ?? null) ??
      (notes.hash !== undefined && known_hash_seq === null ? { seq: null, reason: UNKNOWN_HASH } : null);
    return {
      ok: broken === null,
      entries,
      broken_at: broken?.seq ?? null,
      reason: broken?.reason ?? null,
      head: auditEnd(db)?.hash ?? null,
      known_hash_seq,
    };
  });
}

const UNKNOWN_HASH =
  'No entry has the hash that was noted: the log was written anew, or the hash is of another site’s log.';

function entryWith(db: ReadableDb, hash: string | undefined): number | null {
  if (hash === undefined) return null;
  return prepared<number>(db, 'SELECT seq FROM audit WHERE hash = ?').pluck().get(hash) ?? null;
}

function againstNote(
  db: ReadableDb,
  entries: number,
  note: { entries: number; hash: string; at: string } | null,
): { seq: number; reason: string } | null {
  if (note === null || hashOfEntry(db, note.entries) === note.hash || isReplaced(db, note.hash)) return null;
  const day = note.at.slice(0, 10);
  if (note.entries > entries) {
    const seq = entries + 1;
    const reason = `Entry ${seq} is missing: on ${day} the log had ${note.entries}. Entries were taken off its end, or an older copy of the books was put back.`;
    return { seq, reason };
  }
  const reason = `Entry ${note.entries} is not the one that stood there on ${day}: the log was written anew.`;
  return { seq: note.entries, reason };
}

function firstBroken(
  db: ReadableDb,
  head: { seq: number; hash: string } | undefined,
): { seq: number; reason: string } | null {
  let previous = BEGINNING;
  let seq = 0;
  for (const entry of prepared<StoredEntry>(db, `SELECT ${columns} FROM audit ORDER BY seq`).iterate()) {
    seq++;
    if (entry.seq !== seq) return { seq, reason: `Entry ${seq} is missing.` };
    if (entry.previous_hash !== previous) {
      return {
        seq,
        reason: `Entry ${seq} does not follow on the one before it: one of the two was changed.`,
      };
    }
    if (auditHash(previous, entry) !== entry.hash) {
      return { seq, reason: `Entry ${seq} was changed after it was written.` };
    }
    previous = entry.hash;
  }
  if (head === undefined)
    return seq === 0 ? null : { seq, reason: 'The note of where the log ends is gone.' };
  if (head.seq > seq)
    return { seq: seq + 1, reason: `Entry ${seq + 1} is missing; the log had ${head.seq}.` };
  if (head.seq < seq || head.hash !== previous) {
    return { seq, reason: `Entry ${seq} is not the one the log ended with.` };
  }
  return null;
}
