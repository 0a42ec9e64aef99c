import type { AllocationRecord, ComponentRecord, SubscriptionRecord } from '../../../domain/tieout/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';
import type { CheckUnit } from './check-due.ts';
import { gather, statementsOf } from './check-statements.ts';
import { unnamedWebhooks, webhooksOf } from './check-webhooks.ts';

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
 * To be called inside `commit`: what is read of a webhook’s body for the first time is kept.
 */
export function recordsOf(
  db: WritableDb,
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

function unnamedRecord(db: WritableDb, unit: CheckUnit, bodies: boolean): SubscriptionRecord {
  return {
    subscription_id: null,
    statements: [],
    statements_complete: false,
    webhooks: unnamedWebhooks(db, unit, bodies),
    components: [],
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
