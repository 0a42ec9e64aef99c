import { prepare, type ReadableDb } from '../../src/backend/store/sqlite/connection.ts';
import { sentFieldsSql } from '../../src/backend/store/webhooks/webhook.ts';
import type { GroundTruth } from '../../src/sandbox/index.ts';

type Entity = Record<string, unknown>;

/** Most differences that are told. */
const TOLD = 20;

/** What the cache has otherwise than the service, a line each; empty where they are equal. Pairs without an allocation count for nothing. */
export function differences(cache: ReadableDb, truth: GroundTruth): string[] {
  return [
    ...webhookDifferences(cache, truth),
    ...statementDifferences(cache, truth),
    ...allocationDifferences(cache, truth),
  ].slice(0, TOLD);
}

export function webhookDifferences(cache: ReadableDb, truth: { webhooks(): Iterable<Entity> }): string[] {
  const rows = prepare<Entity>(
    cache,
    `SELECT id, event, successful, created_at_text AS created_at, ${sentFieldsSql.accepted_at} AS accepted_at,
       last_sent_at_text AS last_sent_at, last_error_at_text AS last_error_at, ${sentFieldsSql.last_sent_url} AS last_sent_url, last_error, signature, body
     FROM webhook`,
  ).all();
  const stored = new Map(rows.map((row) => [row['id'], { ...row, successful: row['successful'] === 1 }]));
  return compared('webhook', stored, truth.webhooks());
}

export function statementDifferences(cache: ReadableDb, truth: GroundTruth): string[] {
  const fields = [
    'id',
    'subscription_id',
    'opened_at',
    'closed_at',
    'settled_at',
    'starting_balance_in_cents',
    'ending_balance_in_cents',
  ];
  const rows = prepare<Entity>(
    cache,
    `SELECT id, subscription_id, opened_at_text AS opened_at, closed_at_text AS closed_at, settled_at_text AS settled_at,
       starting_balance_in_cents, ending_balance_in_cents,
       (SELECT json_group_array(json_array(id, amount_in_cents, created_at_text)) FROM
          (SELECT * FROM txn WHERE statement_id = statement.id ORDER BY ordinal)) AS transactions
     FROM statement WHERE vanished_at IS NULL`,
  ).all();
  const stored = new Map(rows.map((row) => [row['id'], row]));
  const truths = truth.statements().map((statement) => ({
    ...Object.fromEntries(fields.map((field) => [field, statement[field]])),
    transactions: JSON.stringify(
      (statement['transactions'] as Entity[]).map((txn) => [
        txn['id'],
        txn['amount_in_cents'],
        txn['created_at'],
      ]),
    ),
  }));
  return compared('statement', stored, truths);
}

export function allocationDifferences(cache: ReadableDb, truth: GroundTruth): string[] {
  const found: string[] = [];
  for (const pair of truth.components()) {
    const stored = prepare<Entity>(
      cache,
      `SELECT timestamp, quantity, previous_quantity, memo FROM allocation WHERE subscription_id = ? AND component_id = ?
       ORDER BY timestamp_ms DESC, ordinal DESC`,
    ).all(pair.subscription_id, pair.component_id);
    const there = truth.allocations(pair).map(({ timestamp, quantity, previous_quantity, memo }) => ({
      timestamp,
      quantity,
      previous_quantity,
      memo,
    }));
    if (JSON.stringify(stored) !== JSON.stringify(there)) {
      found.push(
        `pair ${pair.subscription_id}/${pair.component_id}: ${stored.length} held, ${there.length} there`,
      );
    }
  }
  return found;
}

function compared(what: string, stored: Map<unknown, Entity>, truths: Iterable<Entity>): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  for (const there of truths) {
    const id = there['id'];
    seen.add(id);
    const here = stored.get(id);
    if (here === undefined) {
      found.push(`${what} ${id} is missing`);
      continue;
    }
    for (const field of Object.keys(here)) {
      if ((here[field] ?? null) !== (there[field] ?? null)) {
        found.push(`${what} ${id}.${field}: ${String(here[field])} held, ${String(there[field])} there`);
      }
    }
  }
  for (const id of stored.keys()) if (!seen.has(id)) found.push(`${what} ${id} is not there`);
  return found;
}
