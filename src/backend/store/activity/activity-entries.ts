import type { ActivityEntry } from '../../../contract/index.ts';
import { findBalanceEffect } from '../../../domain/ledger/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { findAllocation } from '../allocations/allocation-list.ts';
import { findComponentName } from '../allocations/subscription-component.ts';
import { listExceptionsById } from '../checks/exception-list.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { eventColumns, type StoredEvent, toStatementEvent } from '../statements/statement-detail.ts';
import { listStatementsById } from '../statements/statement-list.ts';
import { listTransactionsByRow } from '../statements/transaction-list.ts';
import { listWebhooksById } from '../webhooks/webhook-list.ts';

/** Kinds of activity entries, in display order within the same statement and instant. */
export const activityMilestones = [
  'opened',
  'allocation',
  'transaction',
  'event',
  'closed',
  'settled',
  'webhook',
  'exception',
] as const;
export type ActivityMilestone = (typeof activityMilestones)[number];

/** Sort key of an activity entry. If one statement closes as another opens, each statement's entries stay together. */
export type ActivityPosition = [
  at: number,
  statement: number,
  milestone: number,
  first: number,
  second: number,
];

/** Returns the activity entries of a subscription with these sort keys. */
export function readActivityEntries(
  cache: ReadableDb,
  books: ReadableDb,
  subscription: number,
  positions: readonly ActivityPosition[],
): ActivityEntry[] {
  const stored = readActivityRows(cache, books, positions);
  return positions.map((position) => toActivityEntry(cache, subscription, stored, position));
}

/** Reads the stored rows of all activity entries, with one query per table. */
function readActivityRows(cache: ReadableDb, books: ReadableDb, positions: readonly ActivityPosition[]) {
  const idsOf = (...milestones: ActivityMilestone[]) => [
    ...new Set(
      positions
        .filter(([, , milestone]) => milestones.includes(activityMilestones[milestone]!))
        .map(([, , , first]) => first),
    ),
  ];
  const byId = <Row extends { id: number }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [row.id, row]));
  const rows = idsOf('transaction');
  return {
    statements: byId(listStatementsById(cache, idsOf('opened', 'closed', 'settled'))),
    transactions: new Map(listTransactionsByRow(cache, rows).map((row, at) => [rows[at]!, row])),
    webhooks: byId(listWebhooksById(cache, idsOf('webhook'))),
    exceptions: byId(listExceptionsById(cache, books, idsOf('exception'))),
  };
}

function toActivityEntry(
  cache: ReadableDb,
  subscription: number,
  stored: ReturnType<typeof readActivityRows>,
  [at, , milestone, first, second]: ActivityPosition,
): ActivityEntry {
  const what = activityMilestones[milestone]!;
  switch (what) {
    case 'opened':
    case 'closed':
    case 'settled': {
      const statement = stored.statements.get(first)!;
      const brought_forward = what === 'opened' ? findBalanceCarried(cache, subscription, first) : null;
      return { kind: 'statement', at: statement[`${what}_at`], milestone: what, statement, brought_forward };
    }
    case 'transaction': {
      const transaction = stored.transactions.get(first)!;
      const effect_in_cents = findBalanceEffect(transaction);
      return { kind: 'transaction', at: transaction.created_at, transaction, effect_in_cents };
    }
    case 'event': {
      const event = eventAt(cache, first, second);
      return { kind: 'event', at: event.created_at, statement_id: first, event };
    }
    case 'allocation': {
      const allocation = findAllocation(cache, [subscription, first], [at, second])!;
      const component_name = findComponentName(cache, subscription, first);
      return { kind: 'allocation', at: allocation.timestamp, component_name, allocation };
    }
    case 'webhook': {
      const webhook = stored.webhooks.get(first)!;
      return { kind: 'webhook', at: webhook.created_at, webhook };
    }
    case 'exception':
      return {
        kind: 'exception',
        at: at === 0 ? null : formatTimestamp(at),
        exception: stored.exceptions.get(first)!,
      };
  }
}

type BroughtForward = Extract<ActivityEntry, { kind: 'statement' }>['brought_forward'];

/** Compares a statement's starting balance with the ending balance of the previous closed statement. */
function findBalanceCarried(cache: ReadableDb, subscription: number, statement: number): BroughtForward {
  const sql = `SELECT before.id AS from_statement_id, before.ending_balance_in_cents AS closing_balance_in_cents,
       this.starting_balance_in_cents - before.ending_balance_in_cents AS step_in_cents
     FROM statement AS this JOIN statement AS before INDEXED BY statement_subscription
     WHERE this.id = ? AND before.subscription_id = ? AND before.closed_at IS NOT NULL AND before.vanished_at IS NULL
       AND (before.opened_at, before.id) < (this.opened_at, this.id)
     ORDER BY before.opened_at DESC, before.id DESC LIMIT 1`;
  const row = prepareSql<NonNullable<BroughtForward>>(cache, sql).get(statement, subscription);
  return row ?? null;
}

function eventAt(cache: ReadableDb, statement: number, ordinal: number) {
  const sql = `SELECT ${eventColumns} FROM statement_event WHERE statement_id = ? AND ordinal = ?`;
  return toStatementEvent(select.row<StoredEvent>(cache, sql, statement, ordinal)!);
}
