import type { Allocation, AllocationDetail } from '../../../contract/index.ts';
import { findProrationScheme, findQuantityChangeDirection } from '../../../domain/allocations/index.ts';
import { isSameQuantity } from '../../../domain/ledger/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { webhookBodySql } from '../webhooks/body-compression.ts';
import { deliveryStates } from '../webhooks/webhook.ts';
import { parseStoredWebhookBody, type WebhookBodyForm } from '../webhooks/webhook-body.ts';
import { findComponentName } from './subscription-component.ts';

/** Maximum milliseconds between an allocation and its webhook or charges. Chosen by judgment. */
const SIMULTANEOUS_MS = 5 * 60_000;
/** Transaction kinds that a quantity change never causes. */
const UNRELATED_KINDS = new Set(['baseline', 'trial', 'initial', 'tax', 'coupon', 'referral', 'one_time']);

/** Returns an allocation with its stored webhook and the charges or credits that it caused. */
export function toAllocationEntry(db: ReadableDb, allocation: Allocation): AllocationDetail {
  const at = parseTimestamp(allocation.timestamp);
  const direction = findQuantityChangeDirection(allocation.previous_quantity, allocation.quantity) ?? 'none';
  const prorated = findProrationScheme(allocation, direction)?.startsWith('no-') === false;
  return {
    ...allocation,
    direction,
    webhook: at === null ? null : findAllocationWebhook(db, allocation, at),
    transactions: at === null || !prorated ? [] : findAllocationTransactions(db, allocation, at),
  };
}

interface WebhookCandidate {
  id: number;
  delivery: 0 | 1 | 2;
  created_at: string | null;
  body: string;
  body_form: WebhookBodyForm;
}

/** Returns the webhook with this allocation's quantities and time in its body, or null. */
function findAllocationWebhook(
  db: ReadableDb,
  allocation: Allocation,
  at: number,
): AllocationDetail['webhook'] {
  const sql = `SELECT id, delivery, created_at_text AS created_at, ${webhookBodySql} AS body, body_form
     FROM webhook INDEXED BY webhook_subscription
     WHERE subscription_id = ? AND created_at BETWEEN ? AND ? AND component_id = ?
       AND event = 'component_allocation_change' ORDER BY created_at, id`;
  const near = select.rows<WebhookCandidate>(
    db,
    sql,
    allocation.subscription_id,
    at - SIMULTANEOUS_MS,
    at + SIMULTANEOUS_MS,
    allocation.component_id,
  );
  const found = near.find((webhook) => describesAllocation(webhook, allocation, at));
  if (found === undefined) return null;
  return { id: found.id, delivery: deliveryStates[found.delivery], created_at: found.created_at };
}

function describesAllocation(
  { body, body_form }: WebhookCandidate,
  allocation: Allocation,
  at: number,
): boolean {
  const fields = new Map(
    parseStoredWebhookBody(body, body_form).map(([key, value]) => [getPayloadField(key), value]),
  );
  const timestamp = fields.get('timestamp');
  if (timestamp !== undefined && parseTimestamp(timestamp) !== at) return false;
  return (
    isSameOrMissing(fields.get('new_allocation'), allocation.quantity) &&
    isSameOrMissing(fields.get('previous_allocation'), allocation.previous_quantity)
  );
}

/** Shortens `payload[new_allocation]` to `new_allocation`. Leaves keys with deeper nesting unchanged. */
const getPayloadField = (key: string): string =>
  /^payload(?:\[(\w+)\]|\.(\w+))$/.exec(key)?.slice(1).find(Boolean) ?? key;

/** Returns true if the quantity in a webhook body is missing or equal to this quantity. */
function isSameOrMissing(text: string | undefined, quantity: number | string): boolean {
  if (text === undefined) return true;
  return /^-?\d+(\.\d+)?$/.test(text) && isSameQuantity(text, quantity);
}

interface TransactionCandidate {
  id: number;
  statement_id: number;
  transaction_type: string | null;
  kind: string | null;
  amount_in_cents: number;
  memo: string | null;
  component_id: number | null;
}

/** Returns charges and credits near the allocation's time that name the component by id or in the memo. */
function findAllocationTransactions(
  db: ReadableDb,
  allocation: Allocation,
  at: number,
): AllocationDetail['transactions'] {
  const { subscription_id, component_id } = allocation;
  const sql = `SELECT id, statement_id, transaction_type, kind, amount_in_cents, memo,
       json_extract(extra, '$.component_id') AS component_id
     FROM txn INDEXED BY txn_subscription WHERE subscription_id = ? AND created_at BETWEEN ? AND ? ORDER BY created_at, id`;
  const near = select
    .rows<TransactionCandidate>(db, sql, subscription_id, at - SIMULTANEOUS_MS, at + SIMULTANEOUS_MS)
    .filter(({ transaction_type, kind }) => {
      return (
        (transaction_type === 'charge' || transaction_type === 'credit') && !UNRELATED_KINDS.has(kind ?? '')
      );
    });
  const name = near.length === 0 ? null : findComponentName(db, subscription_id, component_id);
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
