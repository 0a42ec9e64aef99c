import type { Allocation, AllocationEntry } from '../../../contract/index.ts';
import { directionOf, schemeOf } from '../../../domain/allocations/index.ts';
import { sameQuantity } from '../../../domain/ledger/index.ts';
import { prepared, type ReadableDb } from '../database.ts';
import { moment } from '../moment.ts';
import { type BodyForm, storedPairs } from '../webhooks/body.ts';
import { deliveries } from '../webhooks/webhook.ts';

/** The service writes a change, its webhook and its charges in one go; anything up to this counts as at once. */
const AT_ONCE_MS = 5 * 60_000;
/** What is never for a change of a quantity. */
const OTHER_KINDS = new Set(['baseline', 'trial', 'initial', 'tax', 'coupon', 'referral', 'one_time']);

/** An allocation with the webhook that told of it and the charges or credits it led to, as far as they are held. */
export function withBelongings(db: ReadableDb, allocation: Allocation): AllocationEntry {
  const at = moment(allocation.timestamp);
  const direction = directionOf(allocation.previous_quantity, allocation.quantity) ?? 'none';
  const prorated = schemeOf(allocation, direction)?.startsWith('no-') === false;
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

/** The webhook of this very change: by the quantities and the time in its body. */
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
  const fields = new Map(storedPairs(body, body_form).map(([key, value]) => [nameIn(key), value]));
  const said = fields.get('timestamp');
  if (said !== undefined && moment(said) !== at) return false;
  return (
    isQuantity(fields.get('new_allocation'), allocation.quantity) &&
    isQuantity(fields.get('previous_allocation'), allocation.previous_quantity)
  );
}

/** `payload[new_allocation]` is `new_allocation`; what stands deeper keeps its path. */
const nameIn = (key: string): string =>
  /^payload(?:\[(\w+)\]|\.(\w+))$/.exec(key)?.slice(1).find(Boolean) ?? key;

/** A body that does not say it does not speak against it. */
function isQuantity(said: string | undefined, quantity: number | string): boolean {
  if (said === undefined) return true;
  return /^-?\d+(\.\d+)?$/.test(said) && sameQuantity(said, quantity);
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

/** Charges and credits of that moment that are for this component: by its id where they carry one, else by its name. */
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
      'SELECT component_name FROM pair WHERE subscription_id = ? AND component_id = ?',
    )
      .pluck()
      .get(subscription, component) ?? null
  );
}
