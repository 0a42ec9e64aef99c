import type { AuditEntry, AuditVerdict, Outputs } from '../../../contract/index.ts';
import { prepared, type ReadableDb, snapshot } from '../database.ts';
import { type Branch, countRows, type Reading, readPage } from '../keyset.ts';
import { isoMoment } from '../moment.ts';
import { type AuditContent, auditHash, BEGINNING } from './audit.ts';

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

const columns = 'seq, at, who, action, subject, why, detail, previous_hash, hash';

/** The newest first. */
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

function shown({ seq, at, who, action, subject, why, detail, hash }: StoredEntry): AuditEntry {
  return {
    seq,
    at: isoMoment(at),
    who: who === '' ? 'unknown' : who,
    action,
    subject,
    why: why === '' ? null : why,
    detail: JSON.parse(detail) as AuditEntry['detail'],
    hash,
  };
}

/** The newest entry of an action on a subject; null where there is none. */
export function lastEntry(db: ReadableDb, action: string, subject: string): AuditEntry | null {
  const sql = `SELECT ${columns} FROM audit WHERE action = ? AND subject = ? ORDER BY seq DESC LIMIT 1`;
  const entry = prepared<StoredEntry>(db, sql).get(action, subject);
  return entry === undefined ? null : shown(entry);
}

/** The last entry of the log; null before the first. */
export function auditEnd(db: ReadableDb): { seq: number; hash: string } | null {
  const sql = 'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1';
  return prepared<{ seq: number; hash: string }>(db, sql).get() ?? null;
}

export function hashOfEntry(db: ReadableDb, seq: number): string | null {
  return prepared<string>(db, 'SELECT hash FROM audit WHERE seq = ?').pluck().get(seq) ?? null;
}

/** Whether the log took the place, by a restore that is written down in it, of one that ended with this hash. */
export function isReplaced(db: ReadableDb, hash: string): boolean {
  const sql =
    "SELECT 1 FROM audit WHERE action = 'backups.restore' AND json_extract(detail, '$.replaced_hash') = ?";
  return prepared(db, sql).get(hash) !== undefined;
}

/** What was noted of the log elsewhere, to be held against it. */
export interface Notes {
  /** Beside the books, when they were last opened or closed. */
  beside?: { entries: number; hash: string; at: string } | null;
  /** A hash that somebody noted. */
  hash?: string | undefined;
}

/** Works out every hash of the audit log anew, and compares its end with what was noted of it. */
export function verifyAudit(db: ReadableDb, notes: Notes = {}): AuditVerdict {
  return snapshot(db, () => {
    const entries = prepared<number>(db, 'SELECT count(*) FROM audit').pluck().get() ?? 0;
    const head = prepared<{ seq: number; hash: string }>(db, 'SELECT seq, hash FROM audit_head').get();
    const noted = entryWith(db, notes.hash);
    const broken =
      firstBroken(db, head) ??
      againstNote(db, entries, notes.beside ?? null) ??
      (notes.hash !== undefined && noted === null ? { seq: null, why: UNKNOWN_HASH } : null);
    return {
      ok: broken === null,
      entries,
      broken_at: broken?.seq ?? null,
      why: broken?.why ?? null,
      head: auditEnd(db)?.hash ?? null,
      noted,
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
): { seq: number; why: string } | null {
  if (note === null || hashOfEntry(db, note.entries) === note.hash || isReplaced(db, note.hash)) return null;
  const day = note.at.slice(0, 10);
  if (note.entries > entries) {
    const seq = entries + 1;
    const why = `Entry ${seq} is missing: on ${day} the log had ${note.entries}. Entries were taken off its end, or an older copy of the books was put back.`;
    return { seq, why };
  }
  const why = `Entry ${note.entries} is not the one that stood there on ${day}: the log was written anew.`;
  return { seq: note.entries, why };
}

function firstBroken(
  db: ReadableDb,
  head: { seq: number; hash: string } | undefined,
): { seq: number; why: string } | null {
  let previous = BEGINNING;
  let seq = 0;
  for (const entry of prepared<StoredEntry>(db, `SELECT ${columns} FROM audit ORDER BY seq`).iterate()) {
    seq++;
    if (entry.seq !== seq) return { seq, why: `Entry ${seq} is missing.` };
    if (entry.previous_hash !== previous) {
      return { seq, why: `Entry ${seq} does not follow on the one before it: one of the two was changed.` };
    }
    if (auditHash(previous, entry) !== entry.hash) {
      return { seq, why: `Entry ${seq} was changed after it was written.` };
    }
    previous = entry.hash;
  }
  if (head === undefined) return seq === 0 ? null : { seq, why: 'The note of where the log ends is gone.' };
  if (head.seq > seq) return { seq: seq + 1, why: `Entry ${seq + 1} is missing; the log had ${head.seq}.` };
  if (head.seq < seq || head.hash !== previous) {
    return { seq, why: `Entry ${seq} is not the one the log ended with.` };
  }
  return null;
}
