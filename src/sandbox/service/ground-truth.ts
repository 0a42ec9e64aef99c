import {
  type JsonRecord,
  toAllocationJson,
  toStatementJson,
  toTransactionId,
} from '../render/json-records.ts';
import { catalogComponents } from '../simulation/catalog.ts';
import type { PlantedErrorKind } from '../simulation/planted-error-kinds.ts';
import type { BillingService } from './billing-service.ts';

export interface SubscriptionComponent {
  readonly subscription_id: number;
  readonly component_id: number;
}

export interface PlantedError {
  readonly kind: PlantedErrorKind;
  readonly subscription_id: number;
  readonly statement_id: number;
  /** Amount in cents by which the record is wrong, if the error concerns an amount. */
  readonly cents: number;
}

export interface UngeneratedWebhook {
  readonly event: string;
  readonly at: number;
  readonly subscription_id: number;
  /** Statement that the webhook would have reported; null for other events. */
  readonly statement_id: number | null;
  readonly transaction_id: number | null;
}

const allWebhooks = { status: null, from: 0, before: Number.MAX_SAFE_INTEGER, newestFirst: false } as const;

/** Provides all records as the service's JSON, oldest first, without HTTP. */
export class GroundTruth {
  readonly #service: BillingService;

  constructor(service: BillingService) {
    this.#service = service;
  }

  *webhooks(): Generator<JsonRecord> {
    for (let row = 0; row < this.#service.log.length; row++) yield this.#service.log.toWebhookJson(row);
  }

  webhook(id: number): JsonRecord | null {
    const row = this.#service.webhookRow(id);
    return row < 0 ? null : this.#service.log.toWebhookJson(row);
  }

  /** Returns the webhooks that were not created because the endpoint was disabled. Times are UTC milliseconds. */
  ungenerated(): UngeneratedWebhook[] {
    const { simulation } = this.#service;
    const index = simulation.ungenerated;
    return Array.from({ length: index.length }, (_, row) => {
      const subscription = index.subscription(row);
      const notice = simulation.notice(row, index);
      const { transaction = null, statement } = notice ?? {};
      const event = simulation.event(row, index);
      return {
        event,
        at: index.at(row) * 1000,
        subscription_id: simulation.ids.subscription.id(subscription),
        statement_id:
          statement && event.startsWith('statement_')
            ? simulation.statementId(subscription, statement.index)
            : null,
        transaction_id: transaction && toTransactionId(this.#service.site, subscription, transaction),
      };
    });
  }

  *statements(): Generator<JsonRecord> {
    const { length } = this.#service.simulation.statements;
    for (const row of this.#service.statementRows(0, length)) yield this.#statement(row);
  }

  statement(id: number): JsonRecord | null {
    const row = this.#service.statementRow(id);
    return row < 0 ? null : this.#statement(row);
  }

  *subscriptions(): Generator<number> {
    const { ids, parameters } = this.#service.simulation;
    for (let index = 0; index < parameters.subscriptions; index++) yield ids.subscription.id(index);
  }

  /** Yields the subscription components that have at least one allocation. */
  *components(): Generator<SubscriptionComponent> {
    const { simulation } = this.#service;
    for (let index = 0; index < simulation.parameters.subscriptions; index++) {
      const used = new Set(simulation.account(index).allocations.map(({ component }) => component));
      for (const component of [...used].sort()) {
        yield {
          subscription_id: simulation.ids.subscription.id(index),
          component_id: catalogComponents[component]?.id ?? 0,
        };
      }
    }
  }

  /** Returns all allocations of a subscription component, newest first, in the order of the service. */
  allocations({ subscription_id, component_id }: SubscriptionComponent): JsonRecord[] {
    const { simulation, site } = this.#service;
    const account = simulation.account(simulation.ids.subscription.row(subscription_id));
    return account.allocations
      .filter(({ component }) => catalogComponents[component]?.id === component_id)
      .reverse()
      .map((allocation) => toAllocationJson(site, account, allocation));
  }

  /** Returns the planted errors together with their statements. */
  planted(): PlantedError[] {
    const { simulation } = this.#service;
    const errors = [...simulation.parameters.plantedErrors.values()];
    return errors.map(({ kind, subscription, statement, cents }) => ({
      kind,
      subscription_id: simulation.ids.subscription.id(subscription),
      statement_id: simulation.statementId(subscription, statement),
      cents,
    }));
  }

  counts() {
    const { simulation, log } = this.#service;
    return {
      subscriptions: simulation.parameters.subscriptions,
      webhooks: log.length,
      failed_webhooks: log.count({ ...allWebhooks, status: 'failed' }),
      statements: this.#service.statementCount,
    };
  }

  #statement(row: number): JsonRecord {
    const { simulation, site } = this.#service;
    const account = simulation.account(simulation.statements.subscription(row));
    return toStatementJson(site, account, simulation.statement(row));
  }
}
