import type { Counts } from './options.ts';
import { allocationEntity, type Entity, statementEntity } from './render/statement.ts';
import type { Service } from './service.ts';
import { components } from './world/catalog.ts';
import type { PlantKind } from './world/plant.ts';

export interface Pair {
  readonly subscription_id: number;
  readonly component_id: number;
}

/** An error planted in the books. */
export interface Planted {
  readonly kind: PlantKind;
  readonly subscription_id: number;
  readonly statement_id: number;
  /** Cents it is wrong by, where cents are. */
  readonly cents: number;
}

const everything = { status: null, from: 0, before: Number.MAX_SAFE_INTEGER, newestFirst: false } as const;

/** Read access to all rows as the service's JSON has them, oldest first, without asking it over HTTP. */
export class Truth {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  *webhooks(): Generator<Entity> {
    for (let row = 0; row < this.#service.log.length; row++) yield this.#service.log.entity(row);
  }

  webhook(id: number): Entity | null {
    const row = this.#service.webhookRow(id);
    return row < 0 ? null : this.#service.log.entity(row);
  }

  *statements(): Generator<Entity> {
    const { length } = this.#service.world.statements;
    for (const row of this.#service.statementRows(0, length)) yield this.#statement(row);
  }

  statement(id: number): Entity | null {
    const row = this.#service.statementRow(id);
    return row < 0 ? null : this.#statement(row);
  }

  *subscriptions(): Generator<number> {
    const { ids, shape } = this.#service.world;
    for (let index = 0; index < shape.subscriptions; index++) yield ids.subscription.id(index);
  }

  /** The pairs that have an allocation. */
  *pairs(): Generator<Pair> {
    const { world } = this.#service;
    for (let index = 0; index < world.shape.subscriptions; index++) {
      const used = new Set(world.account(index).allocations.map(({ component }) => component));
      for (const component of [...used].sort()) {
        yield {
          subscription_id: world.ids.subscription.id(index),
          component_id: components[component]?.id ?? 0,
        };
      }
    }
  }

  /** All allocations of a pair, newest first as the service lists them. */
  allocations({ subscription_id, component_id }: Pair): Entity[] {
    const { world, site } = this.#service;
    const account = world.account(world.ids.subscription.row(subscription_id));
    return account.allocations
      .filter(({ component }) => components[component]?.id === component_id)
      .reverse()
      .map((allocation) => allocationEntity(site, account, allocation));
  }

  /** The errors planted, with the statements they are in. */
  planted(): Planted[] {
    const { world } = this.#service;
    return [...world.shape.plants.values()].map(({ kind, subscription, statement, cents }) => ({
      kind,
      subscription_id: world.ids.subscription.id(subscription),
      statement_id: world.ids.statement.id(world.statementRow(subscription, statement)),
      cents,
    }));
  }

  counts(): Counts {
    const { world, log } = this.#service;
    return {
      subscriptions: world.shape.subscriptions,
      webhooks: log.length,
      failed_webhooks: log.count({ ...everything, status: 'failed' }),
      statements: this.#service.statementCount,
    };
  }

  #statement(row: number): Entity {
    const { world, site } = this.#service;
    return statementEntity(site, world.account(world.statements.subscription(row)), world.statement(row));
  }
}
