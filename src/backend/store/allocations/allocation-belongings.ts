import type { Allocation, AllocationEntry } from '../../../contract/index.ts';
import { findChangeDirection, findProrationScheme } from '../../../domain/allocations/index.ts';
import { isSameQuantity } from '../../../domain/ledger/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { type BodyForm, storedBodyFields } from '../webhooks/body.ts';
import { deliveries } from '../webhooks/webhook.ts';

/**
 * Milliseconds within which an allocation, its webhook and its charges count as simultaneous. The service writes them
 * together.
 */
const AT_ONCE_MS = 5 * 60_000;
/** Kinds of transactions that never belong to a quantity change. */
const OTHER_KINDS = new Set(['baseline', 'trial', 'initial', 'tax', 'coupon', 'referral', 'one_time']);

/** Returns an allocation with its stored webhook and the charges or credits that it caused. */
export function withBelongings(db: ReadableDb, allocation: Allocation): AllocationEntry {
  const at = parseTimestamp(allocation.timestamp);
  const direction = findChangeDirection(allocation.previous_quantity, allocation.quantity) ?? 'none';
  const prorated = findProrationScheme(allocation, direction)?.startsWith('no-') === false;
  return {
    ...allocation,
    direction,
    webhook: at === null ? null : webhookOf(db, allocation, at),
    transactions: at === null || !prorated ? [] : transactionsOf(db, allocation, at),
  };
}

interface NearWebhook {
  id: number;
  delivery: 0 | 1 | 2;
  created_at: string | null;
  body: string;
  body_form: BodyForm;
}

/** Returns the webhook of this allocation, identified by the quantities and the time in its body. */
function webhookOf(db: ReadableDb, allocation: Allocation, at: number): AllocationEntry['webhook'] {
  const near = prepared<NearWebhook>(
    db,
    `SELECT id, delivery, created_at_text AS created_at, body, body_form FROM webhook INDEXED BY webhook_subscription
     WHERE subscription_id = ? AND created_at BETWEEN ? AND ? AND component_id = ?
       AND event = 'component_allocation_change' ORDER BY created_at, id`,
  ).all(allocation.subscription_id, at - AT_ONCE_MS, at + AT_ONCE_MS, allocation.component_id);
  const found = near.find((webhook) => tellsOf(webhook, allocation, at));
  if (found === undefined) return null;
  return { id: found.id, delivery: deliveries[found.delivery], created_at: found.created_at };
}

function tellsOf({ body, body_form }: NearWebhook, allocation: Allocation, at: number): boolean {
  const fields = new Map(storedBodyFields(body, body_form).map(([key, value]) => [nameIn(key), value]));
  const said = fields.get('timestamp');
  if (said !== undefined && parseTimestamp(said) !== at) return false;
  return (
    isQuantity(fields.get('new_allocation'), allocation.quantity) &&
    isQuantity(fields.get('previous_allocation'), allocation.previous_quantity)
  );
}

/** Shortens `payload[new_allocation]` to `new_allocation`. Nested keys keep their path. */
const nameIn = (key: string): string =>
  /^payload(?:\[(\w+)\]|\.(\w+))$/.exec(key)?.slice(1).find(Boolean) ?? key;

/** Returns true if a quantity in a body is equal or missing. */
function isQuantity(said: string | undefined, quantity: number | string): boolean {
  if (said === undefined) return true;
  return /^-?\d+(\.\d+)?$/.test(said) && isSameQuantity(said, quantity);
}

interface NearTransaction {
  id: number;
  statement_id: number;
  transaction_type: string | null;
  kind: string | null;
  amount_in_cents: number;
  memo: string | null;
  component_id: number | null;
}

/**
 * Returns the charges and credits of that time for this component, identified by its id or, if they have none, by its
 * name.
 */
function transactionsOf(db: ReadableDb, allocation: Allocation, at: number): AllocationEntry['transactions'] {
  const { subscription_id, component_id } = allocation;
  const near = prepared<NearTransaction>(
    db,
    `SELECT id, statement_id, transaction_type, kind, amount_in_cents, memo,
       json_extract(extra, '$.component_id') AS component_id
     FROM txn INDEXED BY txn_subscription WHERE subscription_id = ? AND created_at BETWEEN ? AND ? ORDER BY created_at, id`,
  )
    .all(subscription_id, at - AT_ONCE_MS, at + AT_ONCE_MS)
    .filter(({ transaction_type, kind }) => {
      return (transaction_type === 'charge' || transaction_type === 'credit') && !OTHER_KINDS.has(kind ?? '');
    });
  const name = near.length === 0 ? null : nameOf(db, subscription_id, component_id);
  return near
    .filter((each) =>
      each.component_id === null
        ? name !== null && each.memo?.includes(name) === true
        : each.component_id === component_id,
    )
    .map(({ component_id: _, transaction_type, ...rest }) => ({
      ...rest,
      transaction_type: transaction_type ?? '',
    }));
}

function nameOf(db: ReadableDb, subscription: number, component: number): string | null {
  return (
    prepared<string | null>(
      db,
      'SELECT component_name FROM subscription_component WHERE subscription_id = ? AND component_id = ?',
    )
      .pluck()
      .get(subscription, component) ?? null
  );
}
