import type { z } from 'zod';
import type { GroupStatus, groupFilterSchema, groupSortSchema, Outputs } from '../../../contract/index.ts';
import { lineWords } from '../bank/bank-line-list.ts';
import type { Branch, Order, Reading } from '../lists/keyset-pagination.ts';
import { among, type Conditions, centsIn, dayEdge, moneyConditions, together } from '../lists/money-list.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { paymentWords } from './match-payment-list.ts';

export interface GroupQuery {
  filter: z.output<typeof groupFilterSchema>;
  sort: z.output<typeof groupSortSchema>;
}

const groupSorts = {
  dated_on: { column: { name: 'dated_on', type: 'text' }, index: 'match_group_dated' },
  amount_in_cents: { column: { name: 'amount_in_cents', type: 'number' }, index: 'match_group_amount' },
} as const;
/** Any order, because sums need none. */
const unsorted: GroupQuery['sort'] = { by: 'dated_on', direction: 'desc' };
const statuses: readonly GroupStatus[] = ['confirmed', 'suggested', 'ambiguous', 'declined', 'undone'];

/** Plans how a list of matches is read. `found` is the result of `groupsHolding` for its search words. */
export function groupReading(
  db: ReadableDb,
  query: GroupQuery,
  found = groupsHolding(db, query.filter.search),
): Reading {
  const { by, direction } = query.sort;
  const order: Order = {
    name: `groups ${by}`,
    columns: [groupSorts[by].column, { name: 'id', type: 'number' }],
    direction,
  };
  const edge = by === 'dated_on' ? dayEdge(query.filter, direction) : null;
  const branches =
    found === null
      ? branchesOf(db, query, true).map(({ branch }) => branch)
      : [foundBranch(found, query, true)];
  return { order, groups: branches.length === 0 ? [] : [{ lead: [], branches }], edge };
}

/** Returns the number of matches by status and rule, and their sums. */
export function groupSums(
  db: ReadableDb,
  filter: GroupQuery['filter'],
  found = groupsHolding(db, filter.search),
): NonNullable<Outputs['match']['list']['sums']> {
  if (found !== null) return foundSums(db, found, filter);
  return branchesOf(db, { filter, sort: unsorted }, false)
    .map(({ status, rule, branch }) => ({
      status,
      rule,
      ...prepared<{ count: number; amount_in_cents: number }>(
        db,
        `SELECT count(*) AS count, coalesce(sum(amount_in_cents), 0) AS amount_in_cents
         FROM ${branch.from} WHERE ${branch.where.join(' AND ')}`,
      ).get(...branch.bound)!,
    }))
    .filter(({ count }) => count > 0);
}

interface GroupBranch {
  status: GroupStatus;
  rule: string;
  branch: Branch;
}

/** Returns a branch for each existing status and rule. */
function branchesOf(db: ReadableDb, query: GroupQuery, inOrder: boolean): GroupBranch[] {
  const { filter, sort } = query;
  const conditions = conditionsOf(query, inOrder);
  return statuses
    .filter((status) => filter.status?.includes(status) ?? true)
    .flatMap((status) =>
      [...rulesOf(db, status)]
        .filter((rule) => filter.rule?.includes(rule) ?? true)
        .map((rule) => ({
          status,
          rule,
          branch: {
            from: `match_group INDEXED BY ${groupSorts[sort.by].index}`,
            where: ['status = ?', 'rule = ?', ...conditions.where],
            bound: [status, rule, ...conditions.bound],
          },
        })),
    );
}

/** Yields the rules among the matches of a status, each found by seeking past the previous one. */
function* rulesOf(db: ReadableDb, status: GroupStatus): Generator<string> {
  const next = prepared<string>(
    db,
    'SELECT rule FROM match_group INDEXED BY match_group_dated WHERE status = ? AND rule > ? ORDER BY rule LIMIT 1',
  ).pluck();
  for (let rule = next.get(status, ''); rule !== undefined; rule = next.get(status, rule)) yield rule;
}

function conditionsOf({ filter, sort }: GroupQuery, inOrder: boolean): Conditions {
  return together(
    moneyConditions(filter, 'dated_on', inOrder && sort.by === 'dated_on' ? sort.direction : null),
    asked(filter),
  );
}

function asked({ run, line, transaction }: GroupQuery['filter']): Conditions {
  const where: string[] = [];
  const bound: Values = [];
  const ask = (condition: string, value: number | undefined) => {
    if (value === undefined) return;
    where.push(condition);
    bound.push(value);
  };
  ask('run_id = ?', run);
  ask('id IN (SELECT group_id FROM match_item WHERE line_id = ?)', line);
  ask('id IN (SELECT group_id FROM match_item WHERE transaction_id = ?)', transaction);
  return { where, bound };
}

/**
 * Returns the matches with these search words in one of their lines or payments, or with this id or amount. Null without
 * search words. Scans lines and payments once, because their rows are smaller than those of matches.
 */
export function groupsHolding(db: ReadableDb, search: string | undefined): number[] | null {
  const lines = lineWords(search);
  const payments = paymentWords(search);
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
  const own = [/^\d{1,15}$/.test(words) ? Number(words) : null, centsIn(words)];
  return prepared<number>(db, selects.join(' UNION '))
    .pluck()
    .all(...lines.bound, ...payments.bound, ...own);
}

/** Returns the matches found that also fit the rest of the filter. */
function foundBranch(found: readonly number[], query: GroupQuery, inOrder: boolean): Branch {
  const { filter } = query;
  const own = together(
    among('id', found),
    among('status', filter.status),
    among('rule', filter.rule),
    conditionsOf(query, inOrder),
  );
  return { from: 'match_group NOT INDEXED', ...own };
}

function foundSums(
  db: ReadableDb,
  found: readonly number[],
  filter: GroupQuery['filter'],
): NonNullable<Outputs['match']['list']['sums']> {
  const { from, where, bound } = foundBranch(found, { filter, sort: unsorted }, false);
  return prepared<{ status: GroupStatus; rule: string; count: number; amount_in_cents: number }>(
    db,
    `SELECT status, rule, count(*) AS count, sum(amount_in_cents) AS amount_in_cents
     FROM ${from} WHERE ${where.join(' AND ')} GROUP BY status, rule ORDER BY rule`,
  )
    .all(...bound)
    .toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));
}
