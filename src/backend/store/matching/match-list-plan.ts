import type { z } from 'zod';
import type {
  ContractOutputs,
  MatchGroupStatus,
  matchGroupFilterSchema,
  matchGroupSortSchema,
} from '../../../contract/index.ts';
import { getBankLineSearchConditions } from '../bank/bank-line-list.ts';
import type { IndexScan, ListQueryPlan } from '../lists/keyset-pagination.ts';
import { planListScans } from '../lists/keyset-pagination.ts';
import { getDateRangeStartKey, getMoneyFilterConditions, parseAmountToCents } from '../lists/money-list.ts';
import { joinConditions, type SqlConditions, whereEqual, whereIf, whereIn } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { getPaymentSearchConditions } from './match-payment-list.ts';

export interface MatchListQuery {
  filter: z.output<typeof matchGroupFilterSchema>;
  sort: z.output<typeof matchGroupSortSchema>;
}

const groupSorts = {
  dated_on: { column: { name: 'dated_on', type: 'text' }, index: 'match_group_dated' },
  amount_in_cents: { column: { name: 'amount_in_cents', type: 'number' }, index: 'match_group_amount' },
} as const;
/** Arbitrary sort order for sums, which are independent of the order. */
const unsorted: MatchListQuery['sort'] = { by: 'dated_on', direction: 'desc' };
const statuses: readonly MatchGroupStatus[] = ['confirmed', 'suggested', 'ambiguous', 'declined', 'undone'];

/** Plans the query for a list of matches. `found` is the result of `searchMatches`. */
export function planMatchList(
  db: ReadableDb,
  query: MatchListQuery,
  found = searchMatches(db, query.filter.search),
): ListQueryPlan {
  const { by, direction } = query.sort;
  const columns = [groupSorts[by].column, { name: 'id', type: 'number' } as const];
  const scans =
    found === null
      ? getMatchScans(db, query, true).map(({ branch }) => branch)
      : [getSearchScan(found, query, true)];
  const startKey = by === 'dated_on' ? getDateRangeStartKey(query.filter, direction) : null;
  return planListScans({ name: `groups ${by}`, columns, direction }, scans, startKey);
}

/** Returns the number of matches by status and rule. */
export function countMatches(
  db: ReadableDb,
  filter: MatchListQuery['filter'],
  found = searchMatches(db, filter.search),
): NonNullable<ContractOutputs['match']['list']['sums']> {
  if (found !== null) return countSearchResults(db, found, filter);
  return getMatchScans(db, { filter, sort: unsorted }, false)
    .map(({ status, rule, branch }) => ({
      status,
      rule,
      count:
        select.value<number>(
          db,
          `SELECT count(*) FROM ${branch.from} WHERE ${branch.where.join(' AND ')}`,
          ...branch.bound,
        ) ?? 0,
    }))
    .filter(({ count }) => count > 0);
}

interface MatchScan {
  status: MatchGroupStatus;
  rule: string;
  branch: IndexScan;
}

/** Returns one index scan per existing status and rule. */
function getMatchScans(db: ReadableDb, query: MatchListQuery, inOrder: boolean): MatchScan[] {
  const { filter, sort } = query;
  const conditions = getMatchConditions(query, inOrder);
  return statuses
    .filter((status) => filter.status?.includes(status) ?? true)
    .flatMap((status) =>
      [...readRules(db, status)]
        .filter((rule) => filter.rule?.includes(rule) ?? true)
        .map((rule) => ({
          status,
          rule,
          branch: {
            from: `match_group INDEXED BY ${groupSorts[sort.by].index}`,
            ...joinConditions(whereEqual('status', status), whereEqual('rule', rule), conditions),
          },
        })),
    );
}

/** Yields the rules of matches with a status. Each index seek skips to the next rule. */
function* readRules(db: ReadableDb, status: MatchGroupStatus): Generator<string> {
  const sql =
    'SELECT rule FROM match_group INDEXED BY match_group_dated WHERE status = ? AND rule > ? ORDER BY rule LIMIT 1';
  const next = prepareSql<string>(db, sql).pluck();
  for (let rule = next.get(status, ''); rule !== undefined; rule = next.get(status, rule)) yield rule;
}

function getMatchConditions({ filter, sort }: MatchListQuery, inOrder: boolean): SqlConditions {
  const { run, line, transaction } = filter;
  return joinConditions(
    getMoneyFilterConditions(filter, 'dated_on', inOrder && sort.by === 'dated_on' ? sort.direction : null),
    whereEqual('run_id', run),
    whereIf('id IN (SELECT group_id FROM match_item WHERE line_id = ?)', line),
    whereIf('id IN (SELECT group_id FROM match_item WHERE transaction_id = ?)', transaction),
  );
}

/** Returns the ids of matches whose lines, payments, id or amount match the search. Null without a search. */
export function searchMatches(db: ReadableDb, search: string | undefined): number[] | null {
  const lines = getBankLineSearchConditions(search);
  const payments = getPaymentSearchConditions(search);
  if (lines.where.length === 0) return null;
  const words = search?.trim() ?? '';
  const selects = [
    `SELECT group_id FROM bank_line CROSS JOIN match_item INDEXED BY match_item_line ON line_id = bank_line.id
     WHERE ${lines.where.join(' AND ')}`,
    `SELECT group_id FROM match_payment CROSS JOIN match_item INDEXED BY match_item_transaction
       ON transaction_id = match_payment.id WHERE ${payments.where.join(' AND ')}`,
    'SELECT id FROM match_group WHERE id = ?',
    'SELECT id FROM match_group INDEXED BY match_group_amount WHERE amount_in_cents = ?',
  ];
  const own = [/^\d{1,15}$/.test(words) ? Number(words) : null, parseAmountToCents(words)];
  return select.values<number>(db, selects.join(' UNION '), ...lines.bound, ...payments.bound, ...own);
}

/** Returns a scan of the matches that fit both the search and the filter. */
function getSearchScan(found: readonly number[], query: MatchListQuery, inOrder: boolean): IndexScan {
  const { filter } = query;
  const own = joinConditions(
    whereIn('id', found),
    whereIn('status', filter.status),
    whereIn('rule', filter.rule),
    getMatchConditions(query, inOrder),
  );
  return { from: 'match_group NOT INDEXED', ...own };
}

function countSearchResults(
  db: ReadableDb,
  found: readonly number[],
  filter: MatchListQuery['filter'],
): NonNullable<ContractOutputs['match']['list']['sums']> {
  const { from, where, bound } = getSearchScan(found, { filter, sort: unsorted }, false);
  const sql = `SELECT status, rule, count(*) AS count
     FROM ${from} WHERE ${where.join(' AND ')} GROUP BY status, rule ORDER BY rule`;
  return select
    .rows<{ status: MatchGroupStatus; rule: string; count: number }>(db, sql, ...bound)
    .toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));
}
