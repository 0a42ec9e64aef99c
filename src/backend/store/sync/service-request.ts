import type { RequestEvent } from '../../../billing/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

/** An answered request that delivered statements or a page of the list of their ids. Instants are UTC milliseconds. */
export interface ServiceRequest {
  kind: 'statement_ids' | 'statements' | 'statement';
  /** Path and query, without the origin. */
  path: string;
  /** Local time at which the request was sent. Statements refer to it as their `read_at`. */
  started_at: number;
  /** Time of the service according to the response; null if the response states no time. */
  server_at: number | null;
  rows: number;
  bytes: number;
  /** SHA-256 (hex) of the decompressed response. */
  sha256: string;
}

/** Path of the list of all statement ids, but not of the list of one subscription. */
const isListOfSite = (path: string): boolean => !path.includes('/subscriptions/');

/** Records a request if its response delivered statements or a page of the site's list of statement ids. */
export function recordServiceRequest(cache: WritableDb, event: RequestEvent): void {
  const { kind, path, bytes = 0, answer } = event;
  if (answer === undefined) return;
  if (kind !== 'statements' && kind !== 'statement' && !(kind === 'statement_ids' && isListOfSite(path)))
    return;
  if (kind === 'statement_ids')
    prepareSql(cache, "DELETE FROM service_request WHERE kind = 'statement_ids' AND path = ?").run(path);
  const { started_at, server_time: server_at, rows, sha256 } = answer;
  insertRow(cache, 'service_request', { kind, path, started_at, server_at, rows, bytes, sha256 });
}

/** Deletes the requests for pages of ids sent before `at` (UTC milliseconds), which a later complete list replaces. */
export function removeIdRequestsBefore(cache: WritableDb, at: number): void {
  prepareSql(cache, "DELETE FROM service_request WHERE kind = 'statement_ids' AND started_at < ?").run(at);
}

const COLUMNS = 'kind, path, started_at, server_at, rows, bytes, sha256';

/** Returns the requests for the pages of the list of statement ids, in the order in which they were sent. */
export function listIdRequests(cache: ReadableDb): ServiceRequest[] {
  const sql = `SELECT ${COLUMNS} FROM service_request WHERE kind = 'statement_ids' ORDER BY id`;
  return select.rows<ServiceRequest>(cache, sql);
}

/** Returns the requests sent at a time (UTC milliseconds) whose responses delivered statements. */
export function listStatementRequestsAt(cache: ReadableDb, startedAt: number): ServiceRequest[] {
  const sql = `SELECT ${COLUMNS} FROM service_request WHERE started_at = ? AND kind <> 'statement_ids' ORDER BY id`;
  return select.rows<ServiceRequest>(cache, sql, startedAt);
}
