import { hash } from 'node:crypto';
import type {
  AllocationChange,
  AllocationChangeEvidence,
  AllocationChangeOutcome,
  AllocationDraft,
  ErrorValue,
} from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql, pickColumns, updateRow } from '../sqlite/write-row.ts';
import { toStoredQuantity } from './allocation.ts';

type Quantity = number | string;

/** An allocation draft as stored in the books. Instants are UTC milliseconds. */
export interface StoredAllocationDraft {
  id: string;
  created_at: number;
  user: string;
  title: string;
  source: AllocationDraft['source'];
  together: number;
  state: AllocationDraft['state'];
  reason: string | null;
  checked_at: number | null;
  sha256: string;
  stop_after: number | null;
  sent_at: number | null;
  ended_at: number | null;
  job: string | null;
}

const newDraftColumns = ['id', 'created_at', 'user', 'title', 'source', 'together'] as const;
const draftStateColumns = [
  ...(['state', 'reason', 'checked_at', 'sha256', 'stop_after', 'sent_at', 'ended_at', 'job'] as const),
];

/** Saves an allocation draft. The database rejects a second running or paused draft. */
export function saveAllocationDraft(db: WritableDb, draft: StoredAllocationDraft): void {
  const row = pickColumns(draft, [...newDraftColumns, ...draftStateColumns]);
  insertRow(db, 'allocation_draft', row, onConflictSql('id', ...draftStateColumns));
}

export function findAllocationDraft(db: ReadableDb, id: string): StoredAllocationDraft | null {
  return select.row<StoredAllocationDraft>(db, 'SELECT * FROM allocation_draft WHERE id = ?', id);
}

/** Returns the site's running or paused allocation draft, or null. There is at most one. */
export function findActiveAllocationDraft(db: ReadableDb): StoredAllocationDraft | null {
  const sql = "SELECT * FROM allocation_draft WHERE state IN ('running', 'paused') LIMIT 1";
  return select.row<StoredAllocationDraft>(db, sql);
}

/** Marks the allocation draft of a crashed process as interrupted. */
export function interruptAllocationDraft(db: WritableDb, at: number): void {
  const draft = findActiveAllocationDraft(db);
  if (draft?.state === 'running') saveAllocationDraft(db, { ...draft, state: 'interrupted', ended_at: at });
}

/** An allocation change as stored in the books: request, previous state and outcome. Instants are UTC milliseconds. */
export interface StoredAllocationChange {
  draft: string;
  ordinal: number;
  line: number | null;
  raw: string | null;
  subscription_id: number | null;
  component_id: number | null;
  quantity: Quantity | null;
  memo: string | null;
  proration_upgrade_scheme: string | null;
  proration_downgrade_scheme: string | null;
  drafted_quantity: Quantity | null;
  current_quantity: Quantity | null;
  direction: AllocationChange['direction'];
  problem: AllocationChange['problem'];
  problem_text: string | null;
  outcome: AllocationChangeOutcome;
  resolved_by: AllocationChange['resolved_by'];
  request: number | null;
  resolved_at: number | null;
  applied: AllocationChange['applied'];
  error: ErrorValue | null;
  evidence: AllocationChangeEvidence | null;
}

const requestColumns = [
  ...(['draft', 'ordinal', 'line', 'raw', 'subscription_id', 'component_id', 'quantity', 'memo'] as const),
  ...(['proration_upgrade_scheme', 'proration_downgrade_scheme', 'drafted_quantity'] as const),
];
const outcomeColumns = [
  ...(['current_quantity', 'direction', 'problem', 'problem_text', 'outcome', 'resolved_by'] as const),
  ...(['request', 'resolved_at', 'applied', 'error', 'evidence'] as const),
];

const toJson = (value: object | null) => (value === null ? null : JSON.stringify(value));
const toExact = (value: Quantity | null) => (value === null ? null : toStoredQuantity(value));

const toStoredRow = (change: StoredAllocationChange) => ({
  ...change,
  quantity: toExact(change.quantity),
  drafted_quantity: toExact(change.drafted_quantity),
  current_quantity: toExact(change.current_quantity),
  applied: toJson(change.applied),
  error: toJson(change.error),
  evidence: toJson(change.evidence),
});

/** Adds the changes of an allocation draft. Must be called in a transaction. */
export function addAllocationChanges(db: WritableDb, changes: Iterable<StoredAllocationChange>): void {
  for (const change of changes) {
    const row = pickColumns(toStoredRow(change), [...requestColumns, ...outcomeColumns]);
    insertRow(db, 'allocation_change', row);
  }
}

/** Saves the current state of an allocation change. The requested quantity never changes. */
export function saveAllocationChange(db: WritableDb, change: StoredAllocationChange): void {
  const { draft, ordinal } = change;
  updateRow(db, 'allocation_change', pickColumns(toStoredRow(change), outcomeColumns), { draft, ordinal });
}

type Row = Omit<StoredAllocationChange, 'applied' | 'error' | 'evidence'> & {
  applied: string | null;
  error: string | null;
  evidence: string | null;
};

function changeOf({ applied, error, evidence, ...rest }: Row): StoredAllocationChange {
  const parsed = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));
  return { ...rest, applied: parsed(applied), error: parsed(error), evidence: parsed(evidence) };
}

/** Returns the change at a position of an allocation draft, or null. */
export function findAllocationChange(
  db: ReadableDb,
  draft: string,
  ordinal: number,
): StoredAllocationChange | null {
  const sql = 'SELECT * FROM allocation_change WHERE draft = ? AND ordinal = ?';
  const row = prepareSql<Row>(db, sql).get(draft, ordinal);
  return row === undefined ? null : changeOf(row);
}

export function listDraftChanges(db: ReadableDb, draft: string): StoredAllocationChange[] {
  const sql = 'SELECT * FROM allocation_change WHERE draft = ? ORDER BY ordinal';
  return select.rows<Row>(db, sql, draft).map(changeOf);
}

/** Returns the draft's next waiting change whose subscription is not busy, or null. */
export function findNextAllocationChange(
  db: ReadableDb,
  draft: string,
  busy: readonly number[],
): StoredAllocationChange | null {
  const sql = `SELECT * FROM allocation_change INDEXED BY allocation_change_outcome
     WHERE draft = ? AND outcome = 'waiting' AND problem IS NULL
       AND subscription_id NOT IN (SELECT value FROM json_each(?)) ORDER BY ordinal LIMIT 1`;
  const row = prepareSql<Row>(db, sql).get(draft, JSON.stringify(busy));
  return row === undefined ? null : changeOf(row);
}

/** Returns the changes for one request: the subscription's waiting changes with the same proration schemes. */
export function listChangesInSameRequest(
  db: ReadableDb,
  { draft, subscription_id, proration_upgrade_scheme, proration_downgrade_scheme }: StoredAllocationChange,
): StoredAllocationChange[] {
  const sql = `SELECT * FROM allocation_change INDEXED BY allocation_change_subscription
     WHERE draft = ? AND subscription_id = ? AND outcome = 'waiting' AND problem IS NULL
       AND proration_upgrade_scheme IS ? AND proration_downgrade_scheme IS ? ORDER BY ordinal`;
  return select
    .rows<Row>(db, sql, draft, subscription_id, proration_upgrade_scheme, proration_downgrade_scheme)
    .map(changeOf);
}

/** Returns another draft's undecided change of a subscription component that this draft also changes, or null. */
export function findUndecidedChangeInOtherDraft(
  db: ReadableDb,
  draft: string,
): StoredAllocationChange | null {
  const sql = `SELECT other.* FROM allocation_change AS other INDEXED BY allocation_change_open
     WHERE other.outcome IN ('sending', 'verifying', 'undecided') AND other.draft <> ?
       AND EXISTS (SELECT 1 FROM allocation_change AS own WHERE own.draft = ? AND own.problem IS NULL
         AND own.outcome = 'waiting' AND own.subscription_id = other.subscription_id
         AND own.component_id = other.component_id) LIMIT 1`;
  const row = prepareSql<Row>(db, sql).get(draft, draft);
  return row === undefined ? null : changeOf(row);
}

/** Returns the SHA-256 of the components, quantities before and after, memos and proration schemes to send. */
export function hashAllocationChanges(changes: readonly StoredAllocationChange[], together: number): string {
  const sent = changes
    .filter(({ problem }) => problem === null)
    .map((change) => [
      change.ordinal,
      change.subscription_id,
      change.component_id,
      change.current_quantity,
      change.quantity,
      change.memo,
      change.proration_upgrade_scheme,
      change.proration_downgrade_scheme,
    ]);
  return hash('sha256', JSON.stringify([together, sent]), 'hex');
}
