import type { AllocationChange } from '../../../contract/index.ts';
import type { HistoryBeforeChange, SentAllocationChange } from '../../../domain/allocations/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

export type RequestState = AllocationChange['requests'][number]['state'];

/** What is stored of a change before its request is sent: its marker and the state of its history. */
export interface Sent {
  ordinal: number;
  sought: SentAllocationChange;
  before: HistoryBeforeChange;
}

/** A request of the journal. Instants are UTC milliseconds, local clock. */
export interface StoredRequest {
  draft: string;
  request: number;
  subscription_id: number;
  sent: Sent[];
  state: RequestState;
  posted_at: number;
  doubted_at: number | null;
  ended_at: number | null;
  error: string | null;
}

/** Saves a request: as `posting` before it is sent, then with its result. */
export function saveRequest(db: WritableDb, request: StoredRequest): void {
  prepared(
    db,
    `INSERT INTO allocation_request (draft, request, subscription_id, sent, state, posted_at, doubted_at,
       ended_at, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (draft, request) DO UPDATE SET state = excluded.state, doubted_at = excluded.doubted_at,
       ended_at = excluded.ended_at, error = excluded.error`,
  ).run(
    request.draft,
    request.request,
    request.subscription_id,
    JSON.stringify(request.sent),
    request.state,
    request.posted_at,
    request.doubted_at,
    request.ended_at,
    request.error,
  );
}

type Row = Omit<StoredRequest, 'sent'> & { sent: string };

function requestOf({ sent, ...rest }: Row): StoredRequest {
  return { ...rest, sent: JSON.parse(sent) as Sent[] };
}

/** Returns a draft's requests with unknown outcome, in order. */
export function openRequests(db: ReadableDb, draft: string): StoredRequest[] {
  return prepared<Row>(
    db,
    `SELECT * FROM allocation_request INDEXED BY allocation_request_open
     WHERE draft = ? AND state IN ('posting', 'unknown') ORDER BY request`,
  )
    .all(draft)
    .map(requestOf);
}

/** Returns the number of a draft's last request, 0 before the first. */
export function lastRequest(db: ReadableDb, draft: string): number {
  return (
    prepared<number>(db, 'SELECT ifnull(max(request), 0) FROM allocation_request WHERE draft = ?')
      .pluck()
      .get(draft) ?? 0
  );
}

/** Returns the requests in which a change was sent, oldest first. */
export function requestsOf(
  db: ReadableDb,
  { draft, ordinal, subscription_id }: { draft: string; ordinal: number; subscription_id: number | null },
): StoredRequest[] {
  return prepared<Row>(
    db,
    `SELECT * FROM allocation_request INDEXED BY allocation_request_subscription
     WHERE draft = ? AND subscription_id IS ? ORDER BY request`,
  )
    .all(draft, subscription_id)
    .map(requestOf)
    .filter(({ sent }) => sent.some((each) => each.ordinal === ordinal));
}
