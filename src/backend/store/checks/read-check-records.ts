import {
  type AllocationRecord,
  type ComponentRecord,
  listCrossSubscriptionPaymentIds,
  type SubscriptionRecord,
} from '../../../domain/checks/index.ts';
import type { CheckQueueUnit } from '../check-queue/check-queue.ts';
import { prepareSql, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import { addItemToGroup } from './add-to-group.ts';
import type { CheckRecordContext } from './check-statements.ts';
import { readStatementRecords } from './check-statements.ts';
import { readWebhookRecords, readWebhooksWithoutSubscription } from './check-webhooks.ts';
import { findTransactionsById } from './cross-subscription-keys.ts';

/** Reads all records of the given check units. Requires a transaction, because it stores webhook facts. */
export function readCheckRecords(
  db: WritableDb,
  units: readonly CheckQueueUnit[],
  context: CheckRecordContext,
): SubscriptionRecord[] {
  const named = JSON.stringify(units.filter((unit) => unit >= 0));
  const statements = readStatementRecords(db, named, context);
  const webhooks = readWebhookRecords(db, named, context.bodies);
  const components = readComponents(db, named);
  return units.map((unit) =>
    unit < 0
      ? readUnnamedRecord(db, unit, context.bodies)
      : {
          subscription_id: unit,
          statements: statements.get(unit) ?? [],
          statements_complete: context.isComplete(unit),
          webhooks: webhooks.get(unit) ?? [],
          components: components.get(unit) ?? [],
          transactions_elsewhere: findTransactionsById(
            db,
            listCrossSubscriptionPaymentIds(statements.get(unit) ?? []),
          ),
        },
  );
}

function readUnnamedRecord(db: WritableDb, unit: CheckQueueUnit, bodies: boolean): SubscriptionRecord {
  return {
    subscription_id: null,
    statements: [],
    statements_complete: false,
    webhooks: readWebhooksWithoutSubscription(db, unit, bodies),
    components: [],
    transactions_elsewhere: new Map(),
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

/** Returns the subscriptions' components with their allocations, oldest first. */
function readComponents(db: ReadableDb, subscriptions: string): Map<number, ComponentRecord[]> {
  const sql = `SELECT subscription_component.subscription_id, subscription_component.component_id, component_name, state, timestamp_ms, ordinal, allocation.quantity,
       previous_quantity, proration_upgrade_scheme, proration_downgrade_scheme
     FROM json_each(?) AS wanted CROSS JOIN subscription_component ON subscription_component.subscription_id = wanted.value
     LEFT JOIN allocation ON allocation.subscription_id = subscription_component.subscription_id
       AND allocation.component_id = subscription_component.component_id`;
  const rows = prepareSql<AllocationValues>(db, sql).raw().all(subscriptions);
  const found = new Map<number, ComponentRecord[]>();
  let allocations: AllocationRecord[] = [];
  let [subscription, component] = [Number.NaN, Number.NaN];
  for (const row of rows) {
    const [subscription_id, component_id, name, state, timestamp, ordinal] = row;
    if (subscription_id !== subscription || component_id !== component) {
      [subscription, component] = [subscription_id, component_id];
      allocations = [];
      addItemToGroup(found, subscription_id, {
        component_id,
        name,
        complete: state === 'complete',
        allocations,
      });
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
