import type { GroupStatus, MatchEntry, MatchReason } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** The amount of a line or payment that a match claims. */
export interface Share {
  id: number;
  allocated_in_cents: number;
}

export interface NewAdjustment {
  category: string;
  amount_in_cents: number;
  reason: string | null;
}

export interface NewGroup {
  status: Exclude<GroupStatus, 'undone'>;
  rule: string;
  rule_version: number;
  score: number;
  currency: string;
  dated_on: string;
  lines: readonly Share[];
  payments: readonly Share[];
  adjustments: readonly NewAdjustment[];
  alternatives: number;
  reasons: readonly MatchReason[];
  /** Null for a manual match. */
  key: string | null;
  user_rule: number | null;
  payout_id: number | null;
  reverses: number | null;
  run_id: number | null;
  /** UTC milliseconds. */
  at: number;
  /** Null for a run. */
  by: string | null;
  reason: string | null;
}

/** Who changed a match, when, and why. `by` is null for the app itself. */
export interface Change {
  at: number;
  by: string | null;
  reason: string | null;
}

/** Category out of scope. Its lines count as ignored, not as matched. */
const IGNORED = 'ignored';
/** Numeric status of a match's items, as stored in the table. */
const standings = { ambiguous: 1, suggested: 2, confirmed: 3, declined: 0, undone: 0 } as const;
const IGNORING = 4;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

const insertGroup = `INSERT INTO match_group (status, rule, rule_version, score, currency, dated_on, amount_in_cents,
    lines_in_cents, transactions_in_cents, adjustments_in_cents, line_count, transaction_count, alternatives, reasons, key,
    user_rule, payout_id, reverses, run_id, made_at, changed_at, changed_by, reason)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertItem = `INSERT INTO match_item (group_id, ordinal, line_id, transaction_id, allocated_in_cents, standing, category,
    reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Adds a match with its members. Returns its id. Triggers refuse to claim more than an amount has. */
export function addGroup(db: WritableDb, group: NewGroup): number {
  const lines = sum(group.lines.map((share) => share.allocated_in_cents));
  const payments = sum(group.payments.map((share) => share.allocated_in_cents));
  const adjustments = sum(group.adjustments.map((each) => each.amount_in_cents));
  const id = Number(
    prepared(db, insertGroup).run(
      group.status,
      group.rule,
      group.rule_version,
      group.score,
      group.currency,
      group.dated_on,
      sizeOf(group, lines, payments),
      lines,
      payments,
      adjustments,
      group.lines.length,
      group.payments.length,
      group.alternatives,
      JSON.stringify(group.reasons),
      group.key,
      group.user_rule,
      group.payout_id,
      group.reverses,
      group.run_id,
      group.at,
      group.at,
      group.by,
      group.reason,
    ).lastInsertRowid,
  );
  const item = prepared(db, insertItem);
  const standing = standingOf(group.status, group.adjustments);
  let ordinal = 0;
  for (const { id: line, allocated_in_cents } of group.lines) {
    item.run(id, ordinal++, line, null, allocated_in_cents, standing, null, null);
  }
  for (const { id: payment, allocated_in_cents } of group.payments) {
    item.run(id, ordinal++, null, payment, allocated_in_cents, standing, null, null);
  }
  for (const { category, amount_in_cents, reason } of group.adjustments) {
    item.run(id, ordinal++, null, null, amount_in_cents, standing, category, reason);
  }
  return id;
}

/** Returns the amount that a match is about. A deposit and its payout cancel each other out, so the deposit counts. */
function sizeOf({ payout_id, lines: [deposit] }: NewGroup, lines: number, payments: number): number {
  return payout_id !== null && deposit !== undefined
    ? Math.abs(deposit.allocated_in_cents)
    : Math.max(Math.abs(lines), Math.abs(payments));
}

function standingOf(status: GroupStatus, adjustments: readonly { category: string }[]): number {
  const ignoring = status === 'confirmed' && adjustments.some(({ category }) => category === IGNORED);
  return ignoring ? IGNORING : standings[status];
}

export interface StoredGroup {
  id: number;
  status: GroupStatus;
  rule: string;
  rule_version: number;
  score: number;
  currency: string;
  dated_on: string;
  lines_in_cents: number;
  transactions_in_cents: number;
  adjustments_in_cents: number;
  line_count: number;
  transaction_count: number;
  alternatives: number;
  reasons: string;
  key: string | null;
  user_rule: number | null;
  payout_id: number | null;
  reverses: number | null;
  refused: number;
  run_id: number | null;
  made_at: number;
  changed_at: number;
  changed_by: string | null;
  reason: string | null;
  notes: number;
}

/** Returns null if the match does not exist. */
export function groupById(db: ReadableDb, id: number): StoredGroup | null {
  return prepared<StoredGroup>(db, 'SELECT * FROM match_group WHERE id = ?').get(id) ?? null;
}

export interface StoredItem {
  line_id: number | null;
  transaction_id: number | null;
  allocated_in_cents: number;
  category: string | null;
  reason: string | null;
}

/** Returns the lines, payments and adjustments of a match. */
export function itemsOf(db: ReadableDb, group: number): StoredItem[] {
  return prepared<StoredItem>(
    db,
    `SELECT line_id, transaction_id, allocated_in_cents, category, reason FROM match_item
     WHERE group_id = ? ORDER BY ordinal`,
  ).all(group);
}

/** Changes the status of a match and thereby what it claims. `refused` marks a match that a person undid. */
export function setGroupStatus(
  db: WritableDb,
  id: number,
  status: GroupStatus,
  { at, by, reason: why }: Change,
  refused = false,
): void {
  const adjustments = prepared<{ category: string }>(
    db,
    'SELECT category FROM match_item WHERE group_id = ? AND category IS NOT NULL',
  ).all(id);
  prepared(
    db,
    `UPDATE match_group SET status = ?, changed_at = ?, changed_by = ?, reason = ?, refused = max(refused, ?) WHERE id = ?`,
  ).run(status, at, by, why, Number(refused), id);
  prepared(db, 'UPDATE match_item SET standing = ? WHERE group_id = ?').run(
    standingOf(status, adjustments),
    id,
  );
}

/** Updates a proposal that a run found again with a different assessment. */
export function refreshGroup(
  db: WritableDb,
  id: number,
  found: Pick<NewGroup, 'score' | 'alternatives' | 'reasons' | 'user_rule' | 'rule_version'>,
): void {
  prepared(
    db,
    'UPDATE match_group SET score = ?, alternatives = ?, reasons = ?, user_rule = ?, rule_version = ? WHERE id = ?',
  ).run(
    found.score,
    found.alternatives,
    JSON.stringify(found.reasons),
    found.user_rule,
    found.rule_version,
    id,
  );
}

/** Deletes a proposal. One with notes or history is kept as undone. */
export function dropProposal(db: WritableDb, id: number, change: Change): void {
  const kept = prepared(
    db,
    'SELECT 1 FROM match_note WHERE group_id = ? UNION ALL SELECT 1 FROM match_entry WHERE group_id = ? LIMIT 1',
  ).get(id, id);
  if (kept === undefined) prepared(db, 'DELETE FROM match_group WHERE id = ?').run(id);
  else setGroupStatus(db, id, 'undone', change);
}

/** Adds an entry to the history of a match. */
export function addEntry(
  db: WritableDb,
  group: number,
  entry: { at: number; user: string | null; action: MatchEntry['action']; text: string | null },
): void {
  const { at, user, action, text } = entry;
  prepared(
    db,
    `INSERT INTO match_entry (group_id, seq, at, user, action, text)
     VALUES (?, (SELECT count(*) FROM match_entry WHERE group_id = ?) + 1, ?, ?, ?, ?)`,
  ).run(group, group, at, user, action, text);
}

/** Adds a note to a match, a line or a payment. */
export function addNote(
  db: WritableDb,
  on: { group?: number; line?: number; transaction?: number },
  note: { at: number; user: string; text: string },
): void {
  prepared(
    db,
    'INSERT INTO match_note (group_id, line_id, transaction_id, at, user, text) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(on.group ?? null, on.line ?? null, on.transaction ?? null, note.at, note.user, note.text);
}

/** The amount of a line or payment, and what confirmed matches claim of it. */
export interface Standing {
  amount_in_cents: number;
  claimed_in_cents: number;
  currency: string;
  /** Date of the line or payment. */
  dated_on: string;
}

/** Returns what matches claim of a line, or null if it does not exist or its import was removed. */
export function lineStanding(db: ReadableDb, id: number): Standing | null {
  return (
    prepared<Standing>(
      db,
      `SELECT amount_in_cents, claimed_in_cents, currency, booked_on AS dated_on FROM bank_line
       WHERE id = ? AND gone = 0`,
    ).get(id) ?? null
  );
}

/** Returns the same for a payment, or null if it does not exist or the service no longer has it. */
export function paymentStanding(db: ReadableDb, id: number): Standing | null {
  return (
    prepared<Standing>(
      db,
      `SELECT amount_in_cents, claimed_in_cents, currency, paid_on AS dated_on FROM match_payment
       WHERE id = ? AND gone = 0`,
    ).get(id) ?? null
  );
}
