import type { Marks, MatchEntry, MatchGroup, MatchReason, Outputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { readMarks } from '../lists/keyset-pagination.ts';
import { moneyPage } from '../lists/money-list.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import type { StoredGroup } from './match-group.ts';
import { type GroupQuery, groupReading, groupSums, groupsHolding } from './match-group-reading.ts';

/** Returns a page of matches. The first page includes the number of matches and their sums. */
export function listGroups(
  db: ReadableDb,
  query: GroupQuery & { after?: string | undefined; limit: number; members: number },
): Outputs['match']['list'] {
  const found = groupsHolding(db, query.filter.search);
  return moneyPage(
    db,
    groupReading(db, query, found),
    query,
    (ids) => matchGroups(db, ids, query.members),
    () => groupSums(db, query.filter, found),
  );
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function groupMarks(db: ReadableDb, query: GroupQuery & { every: number }): Marks {
  return readMarks(db, groupReading(db, query), query.every, 'match_group');
}

interface ListedGroup extends StoredGroup {
  rule_title: string | null;
}

/** Returns the matches with these ids in the given order, each with at most `members` lines and payments. */
export function matchGroups(db: ReadableDb, ids: readonly number[], members: number): MatchGroup[] {
  return prepared<ListedGroup>(
    db,
    `SELECT match_group.*, match_rule.title AS rule_title
     FROM json_each(?) AS wanted CROSS JOIN match_group ON match_group.id = wanted.value
       LEFT JOIN match_rule ON match_rule.id = user_rule
     ORDER BY wanted.key`,
  )
    .all(JSON.stringify(ids))
    .map((group) => shown(db, group, members));
}

function shown(db: ReadableDb, group: ListedGroup, members: number): MatchGroup {
  const { lines_in_cents, transactions_in_cents, adjustments_in_cents } = group;
  return {
    id: group.id,
    status: group.status,
    rule: group.rule,
    rule_version: group.rule_version,
    score: group.score,
    currency: group.currency,
    reasons: JSON.parse(group.reasons) as MatchReason[],
    alternatives: group.alternatives,
    user_rule: group.user_rule === null ? null : { id: group.user_rule, title: group.rule_title ?? '' },
    payout: group.payout_id,
    reverses: group.reverses,
    lines_in_cents,
    transactions_in_cents,
    adjustments_in_cents,
    difference_in_cents: lines_in_cents - transactions_in_cents - adjustments_in_cents,
    line_count: group.line_count,
    transaction_count: group.transaction_count,
    bank_lines: group.line_count === 0 ? [] : linesOf(db, group.id, members),
    transactions: group.transaction_count === 0 ? [] : transactionsOf(db, group.id, members),
    adjustments: adjustmentsOf(db, group.id),
    dated_on: group.dated_on,
    run: group.run_id,
    made_at: formatTimestamp(group.made_at),
    changed_at: formatTimestamp(group.changed_at),
    changed_by: group.changed_by,
    reason: group.reason,
    notes: group.notes,
  };
}

function linesOf(db: ReadableDb, group: number, limit: number): MatchGroup['bank_lines'] {
  return prepared<MatchGroup['bank_lines'][number]>(
    db,
    `SELECT bank_line.id, row, file, import_id AS import, name AS account, booked_on, amount_in_cents, allocated_in_cents,
       description, reference
     FROM match_item CROSS JOIN bank_line ON bank_line.id = line_id CROSS JOIN bank_import ON bank_import.id = import_id
       CROSS JOIN bank_account ON bank_account.id = bank_line.account_id
     WHERE group_id = ? AND line_id IS NOT NULL ORDER BY ordinal LIMIT ?`,
  ).all(group, limit);
}

function transactionsOf(db: ReadableDb, group: number, limit: number): MatchGroup['transactions'] {
  return prepared<MatchGroup['transactions'][number]>(
    db,
    `SELECT match_payment.id, statement_id, subscription_id, kind, paid_on, amount_in_cents, allocated_in_cents,
       customer_name, gateway_transaction_id
     FROM match_item CROSS JOIN match_payment ON match_payment.id = transaction_id
     WHERE group_id = ? AND transaction_id IS NOT NULL ORDER BY ordinal LIMIT ?`,
  ).all(group, limit);
}

function adjustmentsOf(db: ReadableDb, group: number): MatchGroup['adjustments'] {
  return prepared<MatchGroup['adjustments'][number]>(
    db,
    `SELECT category, allocated_in_cents AS amount_in_cents, reason FROM match_item
     WHERE group_id = ? AND category IS NOT NULL ORDER BY ordinal`,
  ).all(group);
}

/** Returns the history of a match, oldest first. Its creation comes from the match itself. */
export function historyOf(db: ReadableDb, group: number): MatchEntry[] {
  const entries = prepared<Omit<MatchEntry, 'at'> & { at: number }>(
    db,
    'SELECT at, user, action, text FROM match_entry WHERE group_id = ? ORDER BY seq',
  )
    .all(group)
    .map((entry) => ({ ...entry, at: formatTimestamp(entry.at) }));
  const made = prepared<{ made_at: number; run_id: number | null }>(
    db,
    'SELECT made_at, run_id FROM match_group WHERE id = ?',
  ).get(group);
  if (made === undefined || made.run_id === null) return entries;
  return [
    {
      at: formatTimestamp(made.made_at),
      user: null,
      action: 'proposed',
      text: `Found by run ${made.run_id}.`,
    },
    ...entries,
  ];
}

/** Returns the lines and payments of a match, at most `limit` of each. */
export function membersOf(
  db: ReadableDb,
  group: number,
  limit: number,
): { lines: number[]; transactions: number[] } {
  const ids = (column: 'line_id' | 'transaction_id') =>
    prepared<number>(
      db,
      `SELECT ${column} FROM match_item WHERE group_id = ? AND ${column} IS NOT NULL ORDER BY ordinal LIMIT ?`,
    )
      .pluck()
      .all(group, limit);
  return { lines: ids('line_id'), transactions: ids('transaction_id') };
}

/** Returns unexplained payments (or lines) of this amount and currency near a day, nearest first. */
export function near(
  db: ReadableDb,
  action: 'payments' | 'lines',
  { amount_in_cents, currency, day }: { amount_in_cents: number; currency: string; day: string },
  limit: number,
): { id: number; dated_on: string; user: string | null }[] {
  const sql =
    action === 'payments'
      ? `SELECT match_payment.id, paid_on AS dated_on, customer_name AS user
         FROM json_each('[0,1,2]') AS s CROSS JOIN match_payment INDEXED BY match_payment_amount
         WHERE state = s.value AND amount_in_cents = ? AND currency = ?`
      : `SELECT bank_line.id, booked_on AS dated_on, description AS user
         FROM bank_account AS a CROSS JOIN json_each('[0,1,2]') AS s CROSS JOIN bank_line INDEXED BY bank_line_amount
         WHERE account_id = a.id AND state = s.value AND amount_in_cents = ? AND bank_line.currency = ?`;
  return prepared<{ id: number; dated_on: string; user: string | null }>(
    db,
    `SELECT * FROM (${sql}) WHERE abs(julianday(dated_on) - julianday(?)) <= 45
     ORDER BY abs(julianday(dated_on) - julianday(?)), id LIMIT ?`,
  ).all(amount_in_cents, currency, day, day, limit);
}

/** Returns the categories in use with their number of confirmed matches. */
export function usedCategories(db: ReadableDb): { category: string; groups: number }[] {
  return prepared<{ category: string; groups: number }>(
    db,
    `SELECT category, count(DISTINCT group_id) AS groups FROM match_item INDEXED BY match_item_category
     WHERE category IS NOT NULL AND standing >= 3 GROUP BY category`,
  ).all();
}
