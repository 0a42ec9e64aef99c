import type { AuditEntry, ContractOutputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { orderByColumn, planListScans, readRowPage } from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIf } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import type { StoredAuditEntry } from './audit-log-verifier.ts';

export interface AuditQuery {
  filter: { action?: string | undefined; subject?: string | undefined };
  after?: string | undefined;
  limit: number;
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
  return readRowPage(db, plan, query, ([seq]) => toAuditEntry(select.row<StoredAuditEntry>(db, sql, seq!)!));
}

function toAuditEntry({
  seq,
  at,
  user,
  action,
  subject,
  reason,
  detail,
  hash,
}: StoredAuditEntry): AuditEntry {
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

/** Yields the complete audit log as stored, oldest entry first. */
export const readAuditLog = (db: ReadableDb): IterableIterator<StoredAuditEntry> =>
  prepareSql<StoredAuditEntry>(db, `SELECT ${columns} FROM audit ORDER BY seq`).iterate();

/** Yields the audit log entries with one of these actions, oldest first. */
export const readAuditEntriesOfActions = (
  db: ReadableDb,
  actions: readonly string[],
): IterableIterator<StoredAuditEntry> =>
  prepareSql<StoredAuditEntry>(
    db,
    `SELECT ${columns} FROM audit WHERE action IN (SELECT value FROM json_each(?)) ORDER BY seq`,
  ).iterate(JSON.stringify(actions));

/** Returns the latest audit log entry for an action on a subject, or null if there is none. */
export function findLastAuditEntry(db: ReadableDb, action: string, subject: string): AuditEntry | null {
  const sql = `SELECT ${columns} FROM audit WHERE action = ? AND subject = ? ORDER BY seq DESC LIMIT 1`;
  const entry = prepareSql<StoredAuditEntry>(db, sql).get(action, subject);
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

/** Returns true if the log records a restore that replaced an audit log with this last hash. */
export function isReplacedAuditLog(db: ReadableDb, hash: string): boolean {
  const sql =
    "SELECT 1 FROM audit WHERE action = 'backups.restore' AND json_extract(detail, '$.replaced_hash') = ?";
  return prepareSql(db, sql).get(hash) !== undefined;
}
