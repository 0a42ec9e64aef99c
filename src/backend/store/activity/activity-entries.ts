import type { ActivityEntry } from '../../../contract/index.ts';
import { balanceEffect } from '../../../domain/ledger/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { allocationAt } from '../allocations/allocation-list.ts';
import { exceptionRows } from '../checks/exception-list.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { eventColumns, type StoredEvent, shownEvent } from '../statements/statement-detail.ts';
import { statementRows } from '../statements/statement-list.ts';
import { transactionRows } from '../statements/transaction-list.ts';
import { webhookRows } from '../webhooks/webhook-list.ts';

/** Events of a statement at one instant, in the order in which they are shown. */
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

/**
 * Sort key of an entry: its instant (UTC milliseconds), its statement, its index in `storyTurns`, and two numbers that
 * identify it. When one statement closes and the next opens at the same instant, each keeps its entries together, the
 * older statement first.
 */
export type ActivityPosition = [at: number, statement: number, turn: number, first: number, second: number];

/** Returns the entries of a subscription's activity with these keys. */
export function activityEntries(
  cache: ReadableDb,
  books: ReadableDb,
  subscription: number,
  places: readonly ActivityPosition[],
): ActivityEntry[] {
  const stored = heldAt(cache, books, places);
  return places.map((place) => entryAt(cache, subscription, stored, place));
}

/** Reads the rows of all keys together. */
function heldAt(cache: ReadableDb, books: ReadableDb, places: readonly ActivityPosition[]) {
  const idsOf = (...wanted: ActivityMilestone[]) => [
    ...new Set(
      places.filter(([, , turn]) => wanted.includes(activityMilestones[turn]!)).map(([, , , first]) => first),
    ),
  ];
  const byId = <Row extends { id: number }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [row.id, row]));
  const rows = idsOf('transaction');
  return {
    statements: byId(statementRows(cache, idsOf('opened', 'closed', 'settled'))),
    transactions: new Map(transactionRows(cache, rows).map((row, at) => [rows[at]!, row])),
    webhooks: byId(webhookRows(cache, idsOf('webhook'))),
    exceptions: byId(exceptionRows(cache, books, idsOf('exception'))),
  };
}

function entryAt(
  cache: ReadableDb,
  subscription: number,
  stored: ReturnType<typeof heldAt>,
  [at, , turn, first, second]: ActivityPosition,
): ActivityEntry {
  const what = activityMilestones[turn]!;
  switch (what) {
    case 'opened':
    case 'closed':
    case 'settled': {
      const statement = stored.statements.get(first)!;
      const brought_forward = what === 'opened' ? carriedTo(cache, subscription, first) : null;
      return { kind: 'statement', at: statement[`${what}_at`], milestone: what, statement, brought_forward };
    }
    case 'transaction': {
      const transaction = stored.transactions.get(first)!;
      const effect_in_cents = balanceEffect(transaction);
      return { kind: 'transaction', at: transaction.created_at, transaction, effect_in_cents };
    }
    case 'event': {
      const event = eventAt(cache, first, second);
      return { kind: 'event', at: event.created_at, statement_id: first, event };
    }
    case 'allocation': {
      const allocation = allocationAt(cache, [subscription, first], [at, second])!;
      const component_name = nameOf(cache, subscription, first);
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

/** Returns how the balance was carried to a statement from the one opened before it. */
function carriedTo(cache: ReadableDb, subscription: number, statement: number): BroughtForward {
  const row = prepared<NonNullable<BroughtForward>>(
    cache,
    `SELECT before.id AS from_statement_id, before.ending_balance_in_cents AS closing_balance_in_cents,
       this.starting_balance_in_cents - before.ending_balance_in_cents AS step_in_cents
     FROM statement AS this JOIN statement AS before INDEXED BY statement_subscription
     WHERE this.id = ? AND before.subscription_id = ? AND before.closed_at IS NOT NULL AND before.vanished_at IS NULL
       AND (before.opened_at, before.id) < (this.opened_at, this.id)
     ORDER BY before.opened_at DESC, before.id DESC LIMIT 1`,
  ).get(statement, subscription);
  return row ?? null;
}

function eventAt(cache: ReadableDb, statement: number, ordinal: number) {
  return shownEvent(
    prepared<StoredEvent>(
      cache,
      `SELECT ${eventColumns} FROM statement_event WHERE statement_id = ? AND ordinal = ?`,
    ).get(statement, ordinal)!,
  );
}

function nameOf(cache: ReadableDb, subscription: number, component: number): string | null {
  return (
    prepared<string | null>(
      cache,
      'SELECT component_name FROM subscription_component WHERE subscription_id = ? AND component_id = ?',
    )
      .pluck()
      .get(subscription, component) ?? null
  );
}
