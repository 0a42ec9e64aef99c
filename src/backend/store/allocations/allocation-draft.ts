import { hash } from 'node:crypto';
import type {
  AllocationChange,
  AllocationDraft,
  ChangeEvidence,
  ChangeOutcome,
  ErrorValue,
} from '../../../contract/index.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, pickColumns, updateOnConflict, updateRow } from '../sqlite/write-row.ts';
import { toStoredQuantity } from './allocation.ts';

type Quantity = number | string;

/** A draft as stored in books.db. Instants are UTC milliseconds. */
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

/** Saves a draft and its state. The database refuses a second one that is running or paused. */
export function saveDraft(db: WritableDb, draft: StoredAllocationDraft): void {
  const row = pickColumns(draft, [...newDraftColumns, ...draftStateColumns]);
  insertRow(db, 'allocation_draft', row, updateOnConflict('id', ...draftStateColumns));
}

/** Returns null if the draft does not exist. */
export function findDraft(db: ReadableDb, id: string): StoredAllocationDraft | null {
  return select.row<StoredAllocationDraft>(db, 'SELECT * FROM allocation_draft WHERE id = ?', id);
}

/** Returns the running or paused draft of the site. There is at most one. */
export function findLiveDraft(db: ReadableDb): StoredAllocationDraft | null {
  const sql = "SELECT * FROM allocation_draft WHERE state IN ('running', 'paused') LIMIT 1";
  return select.row<StoredAllocationDraft>(db, sql);
}

/** Marks a draft of a crashed process as interrupted. */
export function interruptDraft(db: WritableDb, at: number): void {
  const draft = findLiveDraft(db);
  if (draft?.state === 'running') saveDraft(db, { ...draft, state: 'interrupted', ended_at: at });
}

/** A change as stored in books.db: the request, the state before it, and its outcome. Instants are UTC milliseconds. */
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
  outcome: ChangeOutcome;
  resolved_by: AllocationChange['resolved_by'];
  request: number | null;
  resolved_at: number | null;
  applied: AllocationChange['applied'];
  error: ErrorValue | null;
  evidence: ChangeEvidence | null;
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

/** Adds a draft's changes. Must be called in a transaction. */
export function addChanges(db: WritableDb, changes: Iterable<StoredAllocationChange>): void {
  for (const change of changes) {
    const row = pickColumns(toStoredRow(change), [...requestColumns, ...outcomeColumns]);
    insertRow(db, 'allocation_change', row);
  }
}

/** Saves the current state of a change. The request itself does not change. */
export function saveChange(db: WritableDb, change: StoredAllocationChange): void {
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

/** Returns a change by its position, or null. */
export function findChange(db: ReadableDb, draft: string, ordinal: number): StoredAllocationChange | null {
  const sql = 'SELECT * FROM allocation_change WHERE draft = ? AND ordinal = ?';
  const row = prepare<Row>(db, sql).get(draft, ordinal);
  return row === undefined ? null : changeOf(row);
}

/** Returns all changes of a draft in order. */
export function listDraftChanges(db: ReadableDb, draft: string): StoredAllocationChange[] {
  const sql = 'SELECT * FROM allocation_change WHERE draft = ? ORDER BY ordinal';
  return select.rows<Row>(db, sql, draft).map(changeOf);
}

/** Returns the next waiting change of a subscription that is not busy, or null. */
export function findNextChange(
  db: ReadableDb,
  draft: string,
  busy: readonly number[],
): StoredAllocationChange | null {
  const sql = `SELECT * FROM allocation_change INDEXED BY allocation_change_outcome
     WHERE draft = ? AND outcome = 'waiting' AND problem IS NULL
       AND subscription_id NOT IN (SELECT value FROM json_each(?)) ORDER BY ordinal LIMIT 1`;
  const row = prepare<Row>(db, sql).get(draft, JSON.stringify(busy));
  return row === undefined ? null : changeOf(row);
}

/** Returns the changes sent in the same request: waiting changes of its subscription with the same schemes. */
export function listChangesOfSameRequest(
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

/** Returns an undecided change of another draft for a subscription component that this draft changes too, or null. */
export function findUndecidedInOtherDraft(db: ReadableDb, draft: string): StoredAllocationChange | null {
  const sql = `SELECT other.* FROM allocation_change AS other INDEXED BY allocation_change_open
     WHERE other.outcome IN ('sending', 'verifying', 'undecided') AND other.draft <> ?
       AND EXISTS (SELECT 1 FROM allocation_change AS own WHERE own.draft = ? AND own.problem IS NULL
         AND own.outcome = 'waiting' AND own.subscription_id = other.subscription_id
         AND own.component_id = other.component_id) LIMIT 1`;
  const row = prepare<Row>(db, sql).get(draft, draft);
  return row === undefined ? null : changeOf(row);
}

/** Returns the SHA-256 of the components, quantities before and after, memos and schemes to send. */
export function digestChanges(changes: readonly StoredAllocationChange[], together: number): string {
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
