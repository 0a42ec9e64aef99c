import type { StoryEntry } from '../../../contract/index.ts';
import { balanceEffect } from '../../../domain/ledger/index.ts';
import { allocationAt } from '../allocations/allocation-list.ts';
import { exceptionRows } from '../checks/exception-list.ts';
import { prepared, type ReadableDb } from '../database.ts';
import { isoMoment } from '../moment.ts';
import { webhookRows } from '../webhooks/webhook-list.ts';
import { eventColumns, type StoredEvent, shownEvent } from './statement-detail.ts';
import { statementRows } from './statement-list.ts';
import { transactionRows } from './transaction-list.ts';

/** What happens to a statement at one moment, in the order in which it is told. */
export const storyTurns = [
  'opened',
  'allocation',
  'transaction',
  'event',
  'closed',
  'settled',
  'webhook',
  'exception',
] as const;
export type StoryTurn = (typeof storyTurns)[number];

/**
 * Where an entry stands: its moment (ms UTC), the statement it belongs to, what it is by `storyTurns`, and two numbers that name
 * it among those. As one statement closes the next one opens: each with its own, the older first.
 */
export type StoryPlace = [at: number, statement: number, turn: number, first: number, second: number];

/** The entries at these places of a subscription’s story. */
export function storyEntries(
  cache: ReadableDb,
  books: ReadableDb,
  subscription: number,
  places: readonly StoryPlace[],
): StoryEntry[] {
  const held = heldAt(cache, books, places);
  return places.map((place) => entryAt(cache, subscription, held, place));
}

/** The rows that the places name, read together. */
function heldAt(cache: ReadableDb, books: ReadableDb, places: readonly StoryPlace[]) {
  const idsOf = (...wanted: StoryTurn[]) => [
    ...new Set(
      places.filter(([, , turn]) => wanted.includes(storyTurns[turn]!)).map(([, , , first]) => first),
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
  held: ReturnType<typeof heldAt>,
  [at, , turn, first, second]: StoryPlace,
): StoryEntry {
  const what = storyTurns[turn]!;
  switch (what) {
    case 'opened':
    case 'closed':
    case 'settled': {
      const statement = held.statements.get(first)!;
      const carried = what === 'opened' ? carriedTo(cache, subscription, first) : null;
      return { kind: 'statement', at: statement[`${what}_at`], turn: what, statement, carried };
    }
    case 'transaction': {
      const transaction = held.transactions.get(first)!;
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
      const webhook = held.webhooks.get(first)!;
      return { kind: 'webhook', at: webhook.created_at, webhook };
    }
    case 'exception':
      return {
        kind: 'exception',
        at: at === 0 ? null : isoMoment(at),
        exception: held.exceptions.get(first)!,
      };
  }
}

type Carried = Extract<StoryEntry, { kind: 'statement' }>['carried'];

/** How the balance was carried to a statement from the one before it, in the order of their openings. */
function carriedTo(cache: ReadableDb, subscription: number, statement: number): Carried {
  const row = prepared<NonNullable<Carried>>(
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
      'SELECT component_name FROM pair WHERE subscription_id = ? AND component_id = ?',
    )
      .pluck()
      .get(subscription, component) ?? null
  );
}
