import type { GroupStatus, MatchEntry, MatchReason } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** What of a line or payment a group takes. */
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
  rivals: number;
  reasons: readonly MatchReason[];
  /** Null for what a person put together. */
  key: string | null;
  user_rule: number | null;
  payout_id: number | null;
  reverses: number | null;
  run_id: number | null;
  /** ms UTC. */
  at: number;
  /** Null for a run. */
  by: string | null;
  why: string | null;
}

/** Who changed a group, when, and why; `by` is null where the app did. */
export interface Change {
  at: number;
  by: string | null;
  why: string | null;
}

/** What is none of the matter: lines put down to it count as ignored, not as matched. */
const IGNORED = 'ignored';
/** How an item of a group stands to what it holds, as the table numbers it. */
const standings = { ambiguous: 1, suggested: 2, confirmed: 3, declined: 0, undone: 0 } as const;
const IGNORING = 4;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

const insertGroup = `INSERT INTO match_group (status, rule, rule_version, score, currency, dated_on, amount_in_cents,
    lines_in_cents, transactions_in_cents, adjustments_in_cents, line_count, transaction_count, rivals, reasons, key,
    user_rule, payout_id, reverses, run_id, made_at, changed_at, changed_by, why)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertItem = `INSERT INTO match_item (group_id, ordinal, line_id, transaction_id, allocated_in_cents, standing, category,
    reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Adds a group with what it holds; gives its id. The table refuses to claim more than there is. */
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
      group.rivals,
      JSON.stringify(group.reasons),
      group.key,
      group.user_rule,
      group.payout_id,
      group.reverses,
      group.run_id,
      group.at,
      group.at,
      group.by,
      group.why,
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

/** How much money a group is about. A deposit and the payout it is set against cancel each other out: it is about the deposit. */
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
  rivals: number;
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
  why: string | null;
  notes: number;
}

/** Null where there is none. */
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

/** What a group holds: its lines, its payments, its adjustments. */
export function itemsOf(db: ReadableDb, group: number): StoredItem[] {
  return prepared<StoredItem>(
    db,
    `SELECT line_id, transaction_id, allocated_in_cents, category, reason FROM match_item
     WHERE group_id = ? ORDER BY ordinal`,
  ).all(group);
}

/**
 * Changes where a group stands, and with it what it claims. `refused`: a person took this very match back.
 */
export function setGroupStatus(
  db: WritableDb,
  id: number,
  status: GroupStatus,
  { at, by, why }: Change,
  refused = false,
): void {
  const adjustments = prepared<{ category: string }>(
    db,
    'SELECT category FROM match_item WHERE group_id = ? AND category IS NOT NULL',
  ).all(id);
  prepared(
    db,
    `UPDATE match_group SET status = ?, changed_at = ?, changed_by = ?, why = ?, refused = max(refused, ?) WHERE id = ?`,
  ).run(status, at, by, why, Number(refused), id);
  prepared(db, 'UPDATE match_item SET standing = ? WHERE group_id = ?').run(
    standingOf(status, adjustments),
    id,
  );
}

/** Says where a proposal of a run stands by now: what was found again, otherwise judged. */
export function refreshGroup(
  db: WritableDb,
  id: number,
  found: Pick<NewGroup, 'score' | 'rivals' | 'reasons' | 'user_rule' | 'rule_version'>,
): void {
  prepared(
    db,
    'UPDATE match_group SET score = ?, rivals = ?, reasons = ?, user_rule = ?, rule_version = ? WHERE id = ?',
  ).run(found.score, found.rivals, JSON.stringify(found.reasons), found.user_rule, found.rule_version, id);
}

/** Forgets a proposal; what somebody wrote about is kept, undone. */
export function dropProposal(db: WritableDb, id: number, change: Change): void {
  const kept = prepared(
    db,
    'SELECT 1 FROM match_note WHERE group_id = ? UNION ALL SELECT 1 FROM match_entry WHERE group_id = ? LIMIT 1',
  ).get(id, id);
  if (kept === undefined) prepared(db, 'DELETE FROM match_group WHERE id = ?').run(id);
  else setGroupStatus(db, id, 'undone', change);
}

/** Adds to what is written of a group, oldest first. */
export function addEntry(
  db: WritableDb,
  group: number,
  entry: { at: number; who: string | null; what: MatchEntry['what']; text: string | null },
): void {
  const { at, who, what, text } = entry;
  prepared(
    db,
    `INSERT INTO match_entry (group_id, seq, at, who, what, text)
     VALUES (?, (SELECT count(*) FROM match_entry WHERE group_id = ?) + 1, ?, ?, ?, ?)`,
  ).run(group, group, at, who, what, text);
}

/** Adds a note to a match, a line or a payment. */
export function addNote(
  db: WritableDb,
  on: { group?: number; line?: number; transaction?: number },
  note: { at: number; who: string; text: string },
): void {
  prepared(
    db,
    'INSERT INTO match_note (group_id, line_id, transaction_id, at, who, text) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(on.group ?? null, on.line ?? null, on.transaction ?? null, note.at, note.who, note.text);
}

/** What a line or payment has, and what confirmed groups claim of it. */
export interface Standing {
  amount_in_cents: number;
  claimed_in_cents: number;
  currency: string;
  /** Its day. */
  dated_on: string;
}

/** What matches claim of a line; null where there is none, or its import was taken back. */
export function lineStanding(db: ReadableDb, id: number): Standing | null {
  return (
    prepared<Standing>(
      db,
      `SELECT amount_in_cents, claimed_in_cents, currency, booked_on AS dated_on FROM bank_line
       WHERE id = ? AND gone = 0`,
    ).get(id) ?? null
  );
}

/** The same of a payment; null where there is none, or the service has it no more. */
export function paymentStanding(db: ReadableDb, id: number): Standing | null {
  return (
    prepared<Standing>(
      db,
      `SELECT amount_in_cents, claimed_in_cents, currency, paid_on AS dated_on FROM match_payment
       WHERE id = ? AND gone = 0`,
    ).get(id) ?? null
  );
}
