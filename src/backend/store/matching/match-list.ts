import type {
  ContractOutputs,
  MatchGroup,
  MatchHistoryEntry,
  MatchReason,
  PageMarks,
} from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { readPageCursors } from '../lists/keyset-pagination.ts';
import { readMoneyListPage } from '../lists/money-list.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import type { StoredMatchGroup } from './match-group.ts';
import { countMatches, type MatchListQuery, planMatchList, searchMatches } from './match-list-plan.ts';

/** Returns a page of matches. The first page includes the number of matches and their sums. */
export function listMatches(
  db: ReadableDb,
  query: MatchListQuery & { after?: string | undefined; limit: number; members: number },
): ContractOutputs['match']['list'] {
  const found = searchMatches(db, query.filter.search);
  return readMoneyListPage(db, planMatchList(db, query, found), query, {
    listRows: (ids) => listMatchesById(db, ids, query.members),
    sum: () => countMatches(db, query.filter, found),
  });
}

export function readMatchPageCursors(db: ReadableDb, query: MatchListQuery & { every: number }): PageMarks {
  return readPageCursors(db, planMatchList(db, query), query.every, 'match_group');
}

interface ListedGroup extends StoredMatchGroup {
  rule_title: string | null;
  amount_in_cents: number;
}

/** Returns the matches with these ids in the given order, each with at most `members` lines and `members` payments. */
export function listMatchesById(db: ReadableDb, ids: readonly number[], members: number): MatchGroup[] {
  const sql = `SELECT match_group.*, match_rule.title AS rule_title
     FROM json_each(?) AS wanted CROSS JOIN match_group ON match_group.id = wanted.value
       LEFT JOIN match_rule ON match_rule.id = user_rule
     ORDER BY wanted.key`;
  return select
    .rows<ListedGroup>(db, sql, JSON.stringify(ids))
    .map((group) => toMatchGroup(db, group, members));
}

function toMatchGroup(db: ReadableDb, group: ListedGroup, members: number): MatchGroup {
  const {
    user_rule,
    rule_title,
    payout_id,
    run_id,
    key: _key,
    auto_confirm_blocked: _blocked,
    amount_in_cents: _amount,
    ...rest
  } = group;
  const { lines_in_cents, transactions_in_cents, adjustments_in_cents } = group;
  return {
    ...rest,
    reasons: JSON.parse(group.reasons) as MatchReason[],
    user_rule: user_rule === null ? null : { id: user_rule, title: rule_title ?? '' },
    payout: payout_id,
    difference_in_cents: lines_in_cents - transactions_in_cents - adjustments_in_cents,
    bank_lines: group.line_count === 0 ? [] : listLinesOfMatch(db, group.id, members),
    transactions: group.transaction_count === 0 ? [] : listPaymentsOfMatch(db, group.id, members),
    adjustments: listAdjustmentsOfMatch(db, group.id),
    run: run_id,
    made_at: formatTimestamp(group.made_at),
    changed_at: formatTimestamp(group.changed_at),
  };
}

function listLinesOfMatch(db: ReadableDb, group: number, limit: number): MatchGroup['bank_lines'] {
  const sql = `SELECT bank_line.id, row, file, import_id AS import, name AS account, booked_on, amount_in_cents, allocated_in_cents,
       description, reference
     FROM match_item CROSS JOIN bank_line ON bank_line.id = line_id CROSS JOIN bank_import ON bank_import.id = import_id
       CROSS JOIN bank_account ON bank_account.id = bank_line.account_id
     WHERE group_id = ? AND line_id IS NOT NULL ORDER BY ordinal LIMIT ?`;
  return select.rows<MatchGroup['bank_lines'][number]>(db, sql, group, limit);
}

function listPaymentsOfMatch(db: ReadableDb, group: number, limit: number): MatchGroup['transactions'] {
  const sql = `SELECT match_payment.id, statement_id, subscription_id, kind, paid_on, amount_in_cents, allocated_in_cents,
       customer_name, gateway_transaction_id
     FROM match_item CROSS JOIN match_payment ON match_payment.id = transaction_id
     WHERE group_id = ? AND transaction_id IS NOT NULL ORDER BY ordinal LIMIT ?`;
  return select.rows<MatchGroup['transactions'][number]>(db, sql, group, limit);
}

function listAdjustmentsOfMatch(db: ReadableDb, group: number): MatchGroup['adjustments'] {
  const sql = `SELECT category, allocated_in_cents AS amount_in_cents, reason FROM match_item
     WHERE group_id = ? AND category IS NOT NULL ORDER BY ordinal`;
  return select.rows<MatchGroup['adjustments'][number]>(db, sql, group);
}

/** Returns the history of a match, oldest first, starting with its creation. */
export function readMatchHistory(db: ReadableDb, group: number): MatchHistoryEntry[] {
  const entriesSql = 'SELECT at, user, action, text FROM match_entry WHERE group_id = ? ORDER BY seq';
  const entries = select
    .rows<Omit<MatchHistoryEntry, 'at'> & { at: number }>(db, entriesSql, group)
    .map((entry) => ({
      ...entry,
      at: formatTimestamp(entry.at),
    }));
  const madeSql = 'SELECT made_at, run_id FROM match_group WHERE id = ?';
  const creation = prepareSql<{ made_at: number; run_id: number | null }>(db, madeSql).get(group);
  if (creation === undefined || creation.run_id === null) return entries;
  return [
    {
      at: formatTimestamp(creation.made_at),
      user: null,
      action: 'proposed',
      text: `Found by run ${creation.run_id}.`,
    },
    ...entries,
  ];
}

/** Returns the ids of at most `limit` lines and `limit` payments of a match. */
export function listMatchMemberIds(
  db: ReadableDb,
  group: number,
  limit: number,
): { lines: number[]; transactions: number[] } {
  const ids = (column: 'line_id' | 'transaction_id') =>
    select.values<number>(
      db,
      `SELECT ${column} FROM match_item WHERE group_id = ? AND ${column} IS NOT NULL ORDER BY ordinal LIMIT ?`,
      group,
      limit,
    );
  return { lines: ids('line_id'), transactions: ids('transaction_id') };
}

/** Returns unexplained payments or lines with this amount and currency within 45 days of a day, nearest first. */
export function findUnexplainedRowsByAmount(
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
  return select.rows<{ id: number; dated_on: string; user: string | null }>(
    db,
    `SELECT * FROM (${sql}) WHERE abs(julianday(dated_on) - julianday(?)) <= 45
     ORDER BY abs(julianday(dated_on) - julianday(?)), id LIMIT ?`,
    amount_in_cents,
    currency,
    day,
    day,
    limit,
  );
}

/** Returns the number of confirmed matches for each category in use. */
export function countMatchesByCategory(db: ReadableDb): { category: string; groups: number }[] {
  const sql = `SELECT category, count(DISTINCT group_id) AS groups FROM match_item INDEXED BY match_item_category
     WHERE category IS NOT NULL AND claim_state >= 3 GROUP BY category`;
  return select.rows<{ category: string; groups: number }>(db, sql);
}
