import type { AuditEntry, AuditFilter, ContractOutputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { orderByColumn, planListScans, readRowPage } from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIf, whereIn } from '../lists/sql-conditions.ts';
import { getTimeRangeConditions, type TimeRange } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { toLikePattern } from '../sqlite/like-pattern.ts';
import type { StoredAuditEntry } from './audit-log-verifier.ts';

const columns = 'seq, at, user, action, subject, reason, detail, previous_hash, hash';

export interface AuditQuery {
  readonly filter: AuditFilter;
  readonly sort?: { readonly direction: 'asc' | 'desc' };
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Actions whose label matches the filter's search, and the time range of the filter's days. */
interface AuditSelection {
  readonly actions?: readonly string[];
  readonly range?: TimeRange | null;
}

/** Returns a page of audit log entries, newest first by default. */
export function listAuditEntries(
  db: ReadableDb,
  query: AuditQuery,
  { actions = [], range = null }: AuditSelection = {},
): ContractOutputs['audit']['list'] {
  const { filter, sort = { direction: 'desc' } } = query;
  const { action, area, user, subject, search } = filter;
  const ofAction =
    action === undefined || action.includes('.')
      ? whereEqual('action', action)
      : whereIf('action >= ? AND action < ?', `${action}.`, `${action}/`);
  const pattern = search === undefined ? undefined : toLikePattern(search);
  const matchesSearch = whereIf(
    `(subject LIKE ? ESCAPE '\\' OR reason LIKE ? ESCAPE '\\' OR user LIKE ? ESCAPE '\\' OR detail LIKE ? ESCAPE '\\'
      OR action IN (SELECT value FROM json_each(?)))`,
    ...[pattern, pattern, pattern, pattern, JSON.stringify(actions)],
  );
  const conditions = joinConditions(
    ofAction,
    whereIn(`substr(action, 1, instr(action, '.') - 1)`, area),
    whereIn('user', user?.map(toStoredUser)),
    whereEqual('subject', subject),
    matchesSearch,
    getTimeRangeConditions(range, 'at'),
  );
  const plan = planListScans(orderByColumn('audit', 'seq', sort.direction), [
    { from: 'audit', ...conditions },
  ]);
  return readRowPage(db, plan, query, ([seq]) => findAuditEntry(db, Number(seq))!);
}

/** Returns the entry with this sequence number, or null. */
export function findAuditEntry(db: ReadableDb, seq: number): AuditEntry | null {
  const stored = select.row<StoredAuditEntry>(db, `SELECT ${columns} FROM audit WHERE seq = ?`, seq);
  return stored === null ? null : toAuditEntry(stored);
}

/** User of an entry whose user is unknown. */
const UNKNOWN_USER = 'unknown';
const toStoredUser = (user: string): string => (user === UNKNOWN_USER ? '' : user);

/** Returns the areas and users that occur in the log, most frequent first. */
export function readAuditFacets(db: ReadableDb): ContractOutputs['audit']['facets'] {
  const areas = `SELECT substr(action, 1, instr(action, '.') - 1) AS area, count(*) AS entries FROM audit GROUP BY 1 ORDER BY 2 DESC, 1`;
  const users = `SELECT iif(user = '', '${UNKNOWN_USER}', user) AS user, count(*) AS entries FROM audit GROUP BY 1 ORDER BY 2 DESC, 1`;
  return { areas: select.rows(db, areas), users: select.rows(db, users) };
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
    user: user === '' ? UNKNOWN_USER : user,
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
