export interface RequestedStatement {
  id: number;
  /** Null until reading the statement reveals its subscription. */
  subscription_id: number | null;
}

/** Statements that are still to be fetched, grouped by subscription. */
export class RequestedStatements {
  /** Subscription of each requested statement, by statement id. Null if the subscription is unknown. */
  readonly #owners: Map<number, number | null>;
  readonly #idsByOwner: Map<number | null, Set<number>>;

  constructor(statements: readonly RequestedStatement[]) {
    this.#owners = new Map(statements.map(({ id, subscription_id }) => [id, subscription_id]));
    const groups = Map.groupBy(statements, ({ subscription_id }) => subscription_id);
    this.#idsByOwner = new Map(
      [...groups].map(([owner, rows]) => [owner, new Set(rows.map(({ id }) => id))]),
    );
  }

  get size(): number {
    return this.#owners.size;
  }

  has(id: number): boolean {
    return this.#owners.has(id);
  }

  /** Returns a statement's subscription, or null if it is unknown or the statement is not requested. */
  subscriptionOf(id: number): number | null {
    return this.#owners.get(id) ?? null;
  }

  /** Returns the ids of a subscription's requested statements. Null selects statements with an unknown subscription. */
  idsOf(subscription: number | null): readonly number[] {
    return [...(this.#idsByOwner.get(subscription) ?? [])];
  }

  count(subscription: number | null): number {
    return this.#idsByOwner.get(subscription)?.size ?? 0;
  }

  /** Removes a statement. Returns true if the statement was requested. */
  remove(id: number): boolean {
    const owner = this.#owners.get(id);
    if (owner === undefined) return false;
    this.#owners.delete(id);
    this.#idsByOwner.get(owner)?.delete(id);
    return true;
  }
}
