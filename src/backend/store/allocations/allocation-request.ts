import type { AllocationChange } from '../../../contract/index.ts';
import type { Before, Sought } from '../../../domain/allocations/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

export type RequestState = AllocationChange['requests'][number]['state'];

/** What is kept of a change before its request leaves: what it is known by, and what its history showed. */
export interface Sent {
  ordinal: number;
  sought: Sought;
  before: Before;
}

/** A request of the journal. Instants in ms UTC, our clock. */
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

/** Writes a request: as `posting` before it leaves, and what became of it afterwards. */
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

/** A draft's requests of which it is not known what became, in order. */
export function openRequests(db: ReadableDb, draft: string): StoredRequest[] {
  return prepared<Row>(
    db,
    `SELECT * FROM allocation_request INDEXED BY allocation_request_open
     WHERE draft = ? AND state IN ('posting', 'unknown') ORDER BY request`,
  )
    .all(draft)
    .map(requestOf);
}

/** The number of a draft's last request; 0 where nothing was sent. */
export function lastRequest(db: ReadableDb, draft: string): number {
  return (
    prepared<number>(db, 'SELECT ifnull(max(request), 0) FROM allocation_request WHERE draft = ?')
      .pluck()
      .get(draft) ?? 0
  );
}

/** The requests a change was sent in, oldest first. */
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
