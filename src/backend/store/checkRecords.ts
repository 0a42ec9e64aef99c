import {
  type AllocationRecord,
  type ComponentRecord,
  type SubscriptionRecord,
  tellingOf,
  type WebhookRecord,
} from '../../domain/tieout/index.ts';
import { tellingFields } from './body.ts';
import { type CheckUnit, unnamedIds } from './checkDue.ts';
import { gather, statementsOf } from './checkStatements.ts';
import { prepared, type ReadableDb } from './database.ts';

/** What the cache alone does not tell of its rows. */
export interface RecordContext {
  /** When a copy read at this moment of ours was read, by the service’s clock. */
  serviceTime(read_at: number): number;
  /** Whether every statement the service lists of a subscription is held. */
  isComplete(subscription_id: number): boolean;
  /** Whether bodies are wanted, for signatures. */
  bodies: boolean;
}

/**
 * Puts together all that is held of some units (see `CheckUnit`), with one query a table. A vanished statement is left out.
 */
export function recordsOf(
  db: ReadableDb,
  units: readonly CheckUnit[],
  context: RecordContext,
): SubscriptionRecord[] {
  const named = JSON.stringify(units.filter((unit) => unit >= 0));
  const statements = statementsOf(db, named, context);
  const webhooks = webhooksOf(db, named, context.bodies);
  const components = componentsOf(db, named);
  return units.map((unit) =>
    unit < 0
      ? unnamedRecord(db, unit, context.bodies)
      : {
          subscription_id: unit,
          statements: statements.get(unit) ?? [],
          statements_complete: context.isComplete(unit),
          webhooks: webhooks.get(unit) ?? [],
          components: components.get(unit) ?? [],
        },
  );
}

function unnamedRecord(db: ReadableDb, unit: CheckUnit, bodies: boolean): SubscriptionRecord {
  const { from, until } = unnamedIds(unit);
  const rows = prepared<WebhookValues>(
    db,
    `SELECT ${webhookColumns} FROM webhook INDEXED BY webhook_unnamed
     WHERE webhook.subscription_id IS NULL AND id >= ? AND id < ?`,
  )
    .raw()
    .all(from, until);
  return {
    subscription_id: null,
    statements: [],
    statements_complete: false,
    webhooks: rows.map((row) => webhookOf(row, bodies)),
    components: [],
  };
}

type WebhookValues = [
  subscription_id: number,
  id: number,
  event: string,
  successful: number,
  created_at: number,
  accepted_at: number | null,
  last_sent_at: number,
  last_error: string | null,
  last_sent_url: string | null,
  signature: string | null,
  body_form: 'form' | 'json' | 'object' | 'unreadable',
  body: string,
];

const webhookColumns = `webhook.subscription_id, webhook.id, event, successful, created_at, accepted_at, last_sent_at,
  last_error, last_sent_url, signature, body_form, body`;

function webhooksOf(db: ReadableDb, subscriptions: string, bodies: boolean): Map<number, WebhookRecord[]> {
  const rows = prepared<WebhookValues>(
    db,
    `SELECT ${webhookColumns} FROM json_each(?) AS wanted
     CROSS JOIN webhook INDEXED BY webhook_subscription ON webhook.subscription_id = wanted.value`,
  )
    .raw()
    .all(subscriptions);
  const found = new Map<number, WebhookRecord[]>();
  for (const row of rows) gather(found, row[0], webhookOf(row, bodies));
  return found;
}

function webhookOf(row: WebhookValues, bodies: boolean): WebhookRecord {
  const [, id, event, successful, created_at, accepted_at, last_sent_at] = row;
  const [, , , , , , , last_error, last_sent_url, signature, form, body] = row;
  return {
    id,
    event,
    successful: successful === 1,
    created_at: created_at === 0 ? null : created_at,
    accepted_at,
    last_sent_at: last_sent_at === 0 ? null : last_sent_at,
    last_error,
    last_sent_url,
    telling: tellingOf(tellingFields(body, form)),
    signature,
    body: bodies ? body : null,
  };
}

type AllocationValues = [
  subscription_id: number,
  component_id: number,
  name: string | null,
  state: string,
  timestamp: number | null,
  ordinal: number,
  quantity: number | string,
  previous_quantity: number | string,
  upgrade: string | null,
  downgrade: string | null,
];

/** Oldest first, which is the order of the key they are found by. */
function componentsOf(db: ReadableDb, subscriptions: string): Map<number, ComponentRecord[]> {
  const rows = prepared<AllocationValues>(
    db,
    `SELECT pair.subscription_id, pair.component_id, component_name, state, timestamp_ms, ordinal, allocation.quantity,
       previous_quantity, proration_upgrade_scheme, proration_downgrade_scheme
     FROM json_each(?) AS wanted CROSS JOIN pair ON pair.subscription_id = wanted.value
     LEFT JOIN allocation ON allocation.subscription_id = pair.subscription_id
       AND allocation.component_id = pair.component_id`,
  )
    .raw()
    .all(subscriptions);
  const found = new Map<number, ComponentRecord[]>();
  let allocations: AllocationRecord[] = [];
  let [subscription, component] = [Number.NaN, Number.NaN];
  for (const row of rows) {
    const [subscription_id, component_id, name, state, timestamp, ordinal] = row;
    if (subscription_id !== subscription || component_id !== component) {
      [subscription, component] = [subscription_id, component_id];
      allocations = [];
      gather(found, subscription_id, { component_id, name, complete: state === 'held', allocations });
    }
    if (timestamp === null) continue;
    const [, , , , , , quantity, previous_quantity, upgrade, downgrade] = row;
    allocations.push({
      timestamp,
      ordinal,
      quantity,
      previous_quantity,
      proration_upgrade_scheme: upgrade,
      proration_downgrade_scheme: downgrade,
    });
  }
  return found;
}
