import { prepareSql, type ReadableDb } from '../../src/backend/store/sqlite/connection.ts';
import { webhookBodySql } from '../../src/backend/store/webhooks/body-compression.ts';
import { sentWebhookFieldsSql } from '../../src/backend/store/webhooks/webhook.ts';
import type { GroundTruth } from '../../src/sandbox/index.ts';

type Entity = Record<string, unknown>;

/** Maximum number of reported differences. */
const MAX_DIFFERENCES = 20;

/**
 * Returns the differences between the cache and the service, one per line. Ignores subscription components without
 * allocations.
 */
export function findDifferences(cache: ReadableDb, truth: GroundTruth): string[] {
  return [
    ...findWebhookDifferences(cache, truth),
    ...findStatementDifferences(cache, truth),
    ...findAllocationDifferences(cache, truth),
  ].slice(0, MAX_DIFFERENCES);
}

export function findWebhookDifferences(cache: ReadableDb, truth: { webhooks(): Iterable<Entity> }): string[] {
  const rows = prepareSql<Entity>(
    cache,
    `SELECT id, event, successful, created_at_text AS created_at, ${sentWebhookFieldsSql.accepted_at} AS accepted_at,
       last_sent_at_text AS last_sent_at, last_error_at_text AS last_error_at, ${sentWebhookFieldsSql.last_sent_url} AS last_sent_url, last_error, signature,
       ${webhookBodySql} AS body
     FROM webhook`,
  ).all();
  const stored = new Map(rows.map((row) => [row['id'], { ...row, successful: row['successful'] === 1 }]));
  return compareEntities('webhook', stored, truth.webhooks());
}

export function findStatementDifferences(cache: ReadableDb, truth: GroundTruth): string[] {
  const fields = [
    'id',
    'subscription_id',
    'opened_at',
    'closed_at',
    'settled_at',
    'starting_balance_in_cents',
    'ending_balance_in_cents',
  ];
  const rows = prepareSql<Entity>(
    cache,
    `SELECT id, subscription_id, opened_at_text AS opened_at, closed_at_text AS closed_at, settled_at_text AS settled_at,
       starting_balance_in_cents, ending_balance_in_cents,
       (SELECT json_group_array(json_array(id, amount_in_cents, created_at_text)) FROM
          (SELECT * FROM txn WHERE statement_id = statement.id ORDER BY ordinal)) AS transactions
     FROM statement WHERE vanished_at IS NULL`,
  ).all();
  const stored = new Map(rows.map((row) => [row['id'], row]));
  const expectedStatements = truth.statements().map((statement) => ({
    ...Object.fromEntries(fields.map((field) => [field, statement[field]])),
    transactions: JSON.stringify(
      (statement['transactions'] as Entity[]).map((txn) => [
        txn['id'],
        txn['amount_in_cents'],
        txn['created_at'],
      ]),
    ),
  }));
  return compareEntities('statement', stored, expectedStatements);
}

export function findAllocationDifferences(cache: ReadableDb, truth: GroundTruth): string[] {
  const differences: string[] = [];
  for (const pair of truth.components()) {
    const stored = prepareSql<Entity>(
      cache,
      `SELECT timestamp, quantity, previous_quantity, memo FROM allocation WHERE subscription_id = ? AND component_id = ?
       ORDER BY timestamp_ms DESC, ordinal DESC`,
    ).all(pair.subscription_id, pair.component_id);
    const expected = truth.allocations(pair).map(({ timestamp, quantity, previous_quantity, memo }) => ({
      timestamp,
      quantity,
      previous_quantity,
      memo,
    }));
    if (JSON.stringify(stored) !== JSON.stringify(expected)) {
      differences.push(
        `pair ${pair.subscription_id}/${pair.component_id}: ${stored.length} held, ${expected.length} there`,
      );
    }
  }
  return differences;
}

function compareEntities(
  what: string,
  stored: Map<unknown, Entity>,
  expectedEntities: Iterable<Entity>,
): string[] {
  const differences: string[] = [];
  const seen = new Set<unknown>();
  for (const expected of expectedEntities) {
    const id = expected['id'];
    seen.add(id);
    const storedEntity = stored.get(id);
    if (storedEntity === undefined) {
      differences.push(`${what} ${id} is missing`);
      continue;
    }
    for (const field of Object.keys(storedEntity)) {
      if ((storedEntity[field] ?? null) !== (expected[field] ?? null)) {
        differences.push(
          `${what} ${id}.${field}: ${String(storedEntity[field])} held, ${String(expected[field])} there`,
        );
      }
    }
  }
  for (const id of stored.keys()) if (!seen.has(id)) differences.push(`${what} ${id} is not there`);
  return differences;
}
