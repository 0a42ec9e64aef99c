import type { AllocationChange } from '../../../contract/index.ts';
import type { HistoryBeforeChange, SentAllocationChange } from '../../../domain/allocations/index.ts';
import { type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

export type AllocationRequestState = AllocationChange['requests'][number]['state'];

/** An allocation change as recorded before it is sent: its position in the draft, its marker and the stored history. */
export interface JournaledChange {
  ordinal: number;
  sought: SentAllocationChange;
  before: HistoryBeforeChange;
}

/** An allocation request in the journal. Instants are UTC milliseconds by the local clock. */
export interface StoredAllocationRequest {
  draft: string;
  request: number;
  subscription_id: number;
  sent: JournaledChange[];
  state: AllocationRequestState;
  posted_at: number;
  doubted_at: number | null;
  ended_at: number | null;
  error: string | null;
}

/** Saves an allocation request: as `posting` before it is sent, then with its result. */
export function saveAllocationRequest(db: WritableDb, request: StoredAllocationRequest): void {
  const { draft, subscription_id, sent, state, posted_at, doubted_at, ended_at, error } = request;
  const result = { state, doubted_at, ended_at, error };
  const row = { draft, request: request.request, subscription_id, sent: JSON.stringify(sent), posted_at };
  const onConflict = onConflictSql('draft, request', ...Object.keys(result));
  insertRow(db, 'allocation_request', { ...row, ...result }, onConflict);
}

type Row = Omit<StoredAllocationRequest, 'sent'> & { sent: string };

function requestOf({ sent, ...rest }: Row): StoredAllocationRequest {
  return { ...rest, sent: JSON.parse(sent) as JournaledChange[] };
}

/** Returns a draft's allocation requests with an unknown outcome, in order. */
export function listUnresolvedAllocationRequests(db: ReadableDb, draft: string): StoredAllocationRequest[] {
  const sql = `SELECT * FROM allocation_request INDEXED BY allocation_request_open
     WHERE draft = ? AND state IN ('posting', 'unknown') ORDER BY request`;
  return select.rows<Row>(db, sql, draft).map(requestOf);
}

/** Returns the number of the draft's last allocation request, or 0 if there is none. */
export function findLastAllocationRequestNumber(db: ReadableDb, draft: string): number {
  const sql = 'SELECT ifnull(max(request), 0) FROM allocation_request WHERE draft = ?';
  return select.value<number>(db, sql, draft) ?? 0;
}

/** Returns the requests that sent an allocation change, oldest first. */
export function listRequestsForAllocationChange(
  db: ReadableDb,
  { draft, ordinal, subscription_id }: { draft: string; ordinal: number; subscription_id: number | null },
): StoredAllocationRequest[] {
  const sql = `SELECT * FROM allocation_request INDEXED BY allocation_request_subscription
     WHERE draft = ? AND subscription_id IS ? ORDER BY request`;
  return select
    .rows<Row>(db, sql, draft, subscription_id)
    .map(requestOf)
    .filter(({ sent }) => sent.some((each) => each.ordinal === ordinal));
}
