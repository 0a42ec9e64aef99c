import { hash } from 'node:crypto';
import type {
  AllocationChange,
  AllocationDraft,
  ChangeEvidence,
  ChangeOutcome,
  ErrorValue,
} from '../../../contract/index.ts';
import { prepared, type ReadableDb, type Value, type WritableDb } from '../sqlite/connection.ts';
import { quantityValue } from './allocation.ts';

type Quantity = number | string;

/** A draft as stored in books.db. Instants are UTC milliseconds. */
export interface StoredDraft {
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

/** Saves a draft and its state. The database refuses a second one that is running or paused. */
export function saveDraft(db: WritableDb, draft: StoredDraft): void {
  prepared(
    db,
    `INSERT INTO allocation_draft (id, created_at, user, title, source, together, state, reason, checked_at, sha256,
       stop_after, sent_at, ended_at, job) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, reason = excluded.reason, checked_at = excluded.checked_at,
       sha256 = excluded.sha256, stop_after = excluded.stop_after, sent_at = excluded.sent_at,
       ended_at = excluded.ended_at, job = excluded.job`,
  ).run(
    draft.id,
    draft.created_at,
    draft.user,
    draft.title,
    draft.source,
    draft.together,
    draft.state,
    draft.reason,
    draft.checked_at,
    draft.sha256,
    draft.stop_after,
    draft.sent_at,
    draft.ended_at,
    draft.job,
  );
}

/** Returns null if the draft does not exist. */
export function storedDraft(db: ReadableDb, id: string): StoredDraft | null {
  return prepared<StoredDraft>(db, 'SELECT * FROM allocation_draft WHERE id = ?').get(id) ?? null;
}

/** Returns the running or paused draft of the site. There is at most one. */
export function liveDraft(db: ReadableDb): StoredDraft | null {
  return (
    prepared<StoredDraft>(
      db,
      "SELECT * FROM allocation_draft WHERE state IN ('running', 'paused') LIMIT 1",
    ).get() ?? null
  );
}

/** Marks a draft of a crashed process as interrupted. */
export function interruptDraft(db: WritableDb, at: number): void {
  const draft = liveDraft(db);
  if (draft?.state === 'running') saveDraft(db, { ...draft, state: 'interrupted', ended_at: at });
}

/** A change as stored in books.db: the request, the state before it, and its outcome. Instants are UTC milliseconds. */
export interface StoredChange {
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

const asked = [
  ...['draft', 'ordinal', 'line', 'raw', 'subscription_id', 'component_id', 'quantity', 'memo'],
  ...['proration_upgrade_scheme', 'proration_downgrade_scheme', 'drafted_quantity'],
] as const;
const known = [
  ...['current_quantity', 'direction', 'problem', 'problem_text', 'outcome', 'resolved_by', 'request'],
  ...['resolved_at', 'applied', 'error', 'evidence'],
] as const;

const insert = `INSERT INTO allocation_change (${[...asked, ...known].join(', ')})
  VALUES (${[...asked, ...known].map(() => '?').join(', ')})`;
const update = `UPDATE allocation_change SET ${known.map((name) => `${name} = ?`).join(', ')}
  WHERE draft = ? AND ordinal = ?`;

const text = (value: object | null): Value => (value === null ? null : JSON.stringify(value));
const exact = (value: Quantity | null): Value => (value === null ? null : quantityValue(value));

const knownOf = (change: StoredChange): Value[] => [
  exact(change.current_quantity),
  change.direction,
  change.problem,
  change.problem_text,
  change.outcome,
  change.resolved_by,
  change.request,
  change.resolved_at,
  text(change.applied),
  text(change.error),
  text(change.evidence),
];

/** Adds a draft's changes. Must be called inside `commit`. */
export function addChanges(db: WritableDb, changes: Iterable<StoredChange>): void {
  for (const change of changes) {
    prepared(db, insert).run(
      change.draft,
      change.ordinal,
      change.line,
      change.raw,
      change.subscription_id,
      change.component_id,
      exact(change.quantity),
      change.memo,
      change.proration_upgrade_scheme,
      change.proration_downgrade_scheme,
      exact(change.drafted_quantity),
      ...knownOf(change),
    );
  }
}

/** Saves the current state of a change. The request itself does not change. */
export function saveChange(db: WritableDb, change: StoredChange): void {
  prepared(db, update).run(...knownOf(change), change.draft, change.ordinal);
}

type Row = Omit<StoredChange, 'applied' | 'error' | 'evidence'> & {
  applied: string | null;
  error: string | null;
  evidence: string | null;
};

function changeOf({ applied, error, evidence, ...rest }: Row): StoredChange {
  const parsed = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));
  return { ...rest, applied: parsed(applied), error: parsed(error), evidence: parsed(evidence) };
}

/** Returns a change by its position, or null. */
export function storedChange(db: ReadableDb, draft: string, ordinal: number): StoredChange | null {
  const row = prepared<Row>(db, 'SELECT * FROM allocation_change WHERE draft = ? AND ordinal = ?').get(
    draft,
    ordinal,
  );
  return row === undefined ? null : changeOf(row);
}

/** Returns all changes of a draft in order. */
export function changesOf(db: ReadableDb, draft: string): StoredChange[] {
  return prepared<Row>(db, 'SELECT * FROM allocation_change WHERE draft = ? ORDER BY ordinal')
    .all(draft)
    .map(changeOf);
}

/** Returns the next waiting change of a subscription that is not busy, or null. */
export function nextChange(db: ReadableDb, draft: string, busy: readonly number[]): StoredChange | null {
  const row = prepared<Row>(
    db,
    `SELECT * FROM allocation_change INDEXED BY allocation_change_outcome
     WHERE draft = ? AND outcome = 'waiting' AND problem IS NULL
       AND subscription_id NOT IN (SELECT value FROM json_each(?)) ORDER BY ordinal LIMIT 1`,
  ).get(draft, JSON.stringify(busy));
  return row === undefined ? null : changeOf(row);
}

/** Returns the changes sent in the same request: waiting changes of its subscription with the same schemes. */
export function changesBeside(
  db: ReadableDb,
  { draft, subscription_id, proration_upgrade_scheme, proration_downgrade_scheme }: StoredChange,
): StoredChange[] {
  return prepared<Row>(
    db,
    `SELECT * FROM allocation_change INDEXED BY allocation_change_subscription
     WHERE draft = ? AND subscription_id = ? AND outcome = 'waiting' AND problem IS NULL
       AND proration_upgrade_scheme IS ? AND proration_downgrade_scheme IS ? ORDER BY ordinal`,
  )
    .all(draft, subscription_id, proration_upgrade_scheme, proration_downgrade_scheme)
    .map(changeOf);
}

/** Returns an undecided change of another draft for a subscription component that this draft changes too, or null. */
export function undecidedElsewhere(db: ReadableDb, draft: string): StoredChange | null {
  const row = prepared<Row>(
    db,
    `SELECT other.* FROM allocation_change AS other INDEXED BY allocation_change_open
     WHERE other.outcome IN ('sending', 'looking', 'undecided') AND other.draft <> ?
       AND EXISTS (SELECT 1 FROM allocation_change AS own WHERE own.draft = ? AND own.problem IS NULL
         AND own.outcome = 'waiting' AND own.subscription_id = other.subscription_id
         AND own.component_id = other.component_id) LIMIT 1`,
  ).get(draft, draft);
  return row === undefined ? null : changeOf(row);
}

/** Returns the SHA-256 of what will be sent: components, quantities before and after, memos and schemes. */
export function digestOf(changes: readonly StoredChange[], together: number): string {
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
