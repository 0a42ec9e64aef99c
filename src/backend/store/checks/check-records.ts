import type { AllocationRecord, ComponentRecord, SubscriptionRecord } from '../../../domain/checks/index.ts';
import type { CheckUnit } from '../check-queue/check-due.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import { statementsOf } from './check-statements.ts';
import { unnamedWebhooks, webhooksOf } from './check-webhooks.ts';
import { gather } from './gather.ts';
import type { RecordContext } from './record-context.ts';

/**
 * Reads all records of some units, with one query per table. Vanished statements are left out. Must be called inside
 * `commit`, because facts extracted from webhook bodies are stored.
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

/** Returns the components, oldest allocation first. */
function componentsOf(db: ReadableDb, subscriptions: string): Map<number, ComponentRecord[]> {
  const rows = prepared<AllocationValues>(
    db,
    `SELECT subscription_component.subscription_id, subscription_component.component_id, component_name, state, timestamp_ms, ordinal, allocation.quantity,
       previous_quantity, proration_upgrade_scheme, proration_downgrade_scheme
     FROM json_each(?) AS wanted CROSS JOIN subscription_component ON subscription_component.subscription_id = wanted.value
     LEFT JOIN allocation ON allocation.subscription_id = subscription_component.subscription_id
       AND allocation.component_id = subscription_component.component_id`,
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
      gather(found, subscription_id, { component_id, name, complete: state === 'complete', allocations });
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
