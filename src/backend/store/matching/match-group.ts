import type { MatchGroupStatus, MatchHistoryEntry, MatchReason } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

/** Line or payment, with the share of its amount that a match claims. */
export interface ClaimedShare {
  id: number;
  allocated_in_cents: number;
}

export interface NewMatchAdjustment {
  category: string;
  amount_in_cents: number;
  reason: string | null;
}

export interface NewMatchGroup {
  status: Exclude<MatchGroupStatus, 'undone'>;
  rule: string;
  rule_version: number;
  score: number;
  currency: string;
  dated_on: string;
  lines: readonly ClaimedShare[];
  payments: readonly ClaimedShare[];
  adjustments: readonly NewMatchAdjustment[];
  alternatives: number;
  reasons: readonly MatchReason[];
  /** Key by which a run recognizes the match. Null for a manual match. */
  key: string | null;
  user_rule: number | null;
  payout_id: number | null;
  reverses: number | null;
  run_id: number | null;
  /** Time at which the match was made, in UTC milliseconds. */
  at: number;
  /** Person who made the match. Null for a run. */
  by: string | null;
  reason: string | null;
}

/** Person, time and reason of a change to a match. `by` is null if Tieout made the change. */
export interface MatchChange {
  at: number;
  by: string | null;
  reason: string | null;
}

/** Category of a match for out-of-scope items. Its lines count as out of scope, not as matched. */
const OUT_OF_SCOPE_CATEGORY = 'ignored';
/** Claim state of a match's items, by match status, as stored in `match_item`. */
const claimStates = { ambiguous: 1, suggested: 2, confirmed: 3, declined: 0, undone: 0 } as const;
const OUT_OF_SCOPE_STATE = 4;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

const insertItem = `INSERT INTO match_item (group_id, ordinal, line_id, transaction_id, allocated_in_cents, claim_state, category,
    reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Adds a match with its members and returns its id. Triggers reject claims that exceed an amount. */
export function addMatch(db: WritableDb, match: NewMatchGroup): number {
  const { status, rule, rule_version, score, currency, dated_on, alternatives, key } = match;
  const { user_rule, payout_id, reverses, run_id, at, by, reason } = match;
  const lines_in_cents = sum(match.lines.map((share) => share.allocated_in_cents));
  const transactions_in_cents = sum(match.payments.map((share) => share.allocated_in_cents));
  const id = insertRow(db, 'match_group', {
    ...{ status, rule, rule_version, score, currency, dated_on, alternatives, key },
    ...{ user_rule, payout_id, reverses, run_id, reason, lines_in_cents, transactions_in_cents },
    amount_in_cents: getMatchAmount(match, lines_in_cents, transactions_in_cents),
    adjustments_in_cents: sum(match.adjustments.map((each) => each.amount_in_cents)),
    line_count: match.lines.length,
    transaction_count: match.payments.length,
    reasons: JSON.stringify(match.reasons),
    made_at: at,
    changed_at: at,
    changed_by: by,
  });
  const item = prepareSql(db, insertItem);
  const claimState = getClaimState(status, match.adjustments);
  let ordinal = 0;
  for (const { id: line, allocated_in_cents } of match.lines) {
    item.run(id, ordinal++, line, null, allocated_in_cents, claimState, null, null);
  }
  for (const { id: payment, allocated_in_cents } of match.payments) {
    item.run(id, ordinal++, null, payment, allocated_in_cents, claimState, null, null);
  }
  for (const { category, amount_in_cents, reason: text } of match.adjustments) {
    item.run(id, ordinal++, null, null, amount_in_cents, claimState, category, text);
  }
  return id;
}

/** Returns the amount of a match. For a payout, this is the deposit, because the deposit cancels the payout out. */
function getMatchAmount(
  { payout_id, lines: [deposit] }: NewMatchGroup,
  lines: number,
  payments: number,
): number {
  return payout_id !== null && deposit !== undefined
    ? Math.abs(deposit.allocated_in_cents)
    : Math.max(Math.abs(lines), Math.abs(payments));
}

function getClaimState(status: MatchGroupStatus, adjustments: readonly { category: string }[]): number {
  const ignoring =
    status === 'confirmed' && adjustments.some(({ category }) => category === OUT_OF_SCOPE_CATEGORY);
  return ignoring ? OUT_OF_SCOPE_STATE : claimStates[status];
}

export interface StoredMatchGroup
  extends Omit<NewMatchGroup, 'status' | 'lines' | 'payments' | 'adjustments' | 'reasons' | 'at' | 'by'> {
  id: number;
  status: MatchGroupStatus;
  lines_in_cents: number;
  transactions_in_cents: number;
  adjustments_in_cents: number;
  line_count: number;
  transaction_count: number;
  reasons: string;
  auto_confirm_blocked: number;
  made_at: number;
  changed_at: number;
  changed_by: string | null;
  comments: number;
}

export function findMatch(db: ReadableDb, id: number): StoredMatchGroup | null {
  return select.row<StoredMatchGroup>(db, 'SELECT * FROM match_group WHERE id = ?', id);
}

export interface StoredMatchItem {
  line_id: number | null;
  transaction_id: number | null;
  allocated_in_cents: number;
  category: string | null;
  reason: string | null;
}

export function listMatchItems(db: ReadableDb, group: number): StoredMatchItem[] {
  const sql = `SELECT line_id, transaction_id, allocated_in_cents, category, reason FROM match_item
     WHERE group_id = ? ORDER BY ordinal`;
  return select.rows<StoredMatchItem>(db, sql, group);
}

/** Sets a match's status and the claim state of its items. `isBlocked` marks a match that a person undid. */
export function setMatchStatus(
  db: WritableDb,
  id: number,
  status: MatchGroupStatus,
  { at, by, reason: why, isBlocked = false }: MatchChange & { isBlocked?: boolean },
): void {
  const adjustmentsSql = 'SELECT category FROM match_item WHERE group_id = ? AND category IS NOT NULL';
  const adjustments = select.rows<{ category: string }>(db, adjustmentsSql, id);
  const sql = `UPDATE match_group SET status = ?, changed_at = ?, changed_by = ?, reason = ?, auto_confirm_blocked = max(auto_confirm_blocked, ?) WHERE id = ?`;
  prepareSql(db, sql).run(status, at, by, why, Number(isBlocked), id);
  prepareSql(db, 'UPDATE match_item SET claim_state = ? WHERE group_id = ?').run(
    getClaimState(status, adjustments),
    id,
  );
}

/** Updates a match proposal that a run found again with a different score or reasons. */
export function updateMatchProposal(
  db: WritableDb,
  id: number,
  found: Pick<NewMatchGroup, 'score' | 'alternatives' | 'reasons' | 'user_rule' | 'rule_version'>,
): void {
  const { score, alternatives, reasons, user_rule, rule_version } = found;
  const row = { score, alternatives, reasons: JSON.stringify(reasons), user_rule, rule_version };
  updateRow(db, 'match_group', row, { id });
}

/** Deletes a match proposal, or marks it as undone if it has comments or history. */
export function discardMatchProposal(db: WritableDb, id: number, change: MatchChange): void {
  const sql =
    'SELECT 1 FROM match_group WHERE id = ? AND comments > 0 UNION ALL SELECT 1 FROM match_entry WHERE group_id = ? LIMIT 1';
  const reference = prepareSql(db, sql).get(id, id);
  if (reference === undefined) prepareSql(db, 'DELETE FROM match_group WHERE id = ?').run(id);
  else setMatchStatus(db, id, 'undone', change);
}

export function addMatchHistoryEntry(
  db: WritableDb,
  group: number,
  entry: { at: number; user: string | null; action: MatchHistoryEntry['action']; text: string | null },
): void {
  const { at, user, action, text } = entry;
  const sql = `INSERT INTO match_entry (group_id, seq, at, user, action, text)
     VALUES (?, (SELECT count(*) FROM match_entry WHERE group_id = ?) + 1, ?, ?, ?, ?)`;
  prepareSql(db, sql).run(group, group, at, user, action, text);
}

/** Amount of a line or payment in cents, and the part that confirmed matches claim. */
export interface ClaimableAmount {
  amount_in_cents: number;
  claimed_in_cents: number;
  currency: string;
  /** Date of the line or payment. */
  dated_on: string;
}

/** Returns the amount and claims of a bank line, or null if it does not exist or its import was removed. */
export function findClaimableLine(db: ReadableDb, id: number): ClaimableAmount | null {
  const sql = `SELECT amount_in_cents, claimed_in_cents, currency, booked_on AS dated_on FROM bank_line
       WHERE id = ? AND removed = 0`;
  return select.row<ClaimableAmount>(db, sql, id);
}

/** Returns the amount and claims of a payment, or null if it does not exist or the service no longer has it. */
export function findClaimablePayment(db: ReadableDb, id: number): ClaimableAmount | null {
  const sql = `SELECT amount_in_cents, claimed_in_cents, currency, paid_on AS dated_on FROM match_payment
       WHERE id = ? AND removed = 0`;
  return select.row<ClaimableAmount>(db, sql, id);
}
