export interface RequestedStatement {
  id: number;
  /** Null if the subscription is unknown until the statement is read. */
  subscription_id: number | null;
}

/** Statements that are still to be fetched, grouped by subscription. */
export interface RequestedStatements {
  readonly size: number;
  has(id: number): boolean;
  /**
   * Returns a requested statement's subscription. Returns null if the subscription is unknown or the statement is not
   * requested.
   */
  subscriptionOf(id: number): number | null;
  /** Returns the ids of a subscription's requested statements. Null returns those of unknown subscription. */
  idsOf(subscription: number | null): readonly number[];
  count(subscription: number | null): number;
  /** Removes a statement. Returns true if the statement was requested. */
  remove(id: number): boolean;
}

export function createRequestedStatements(statements: readonly RequestedStatement[]): RequestedStatements {
  const owners = new Map<number, number | null>();
  const byOwner = new Map<number | null, Set<number>>();
  for (const { id, subscription_id } of statements) {
    owners.set(id, subscription_id);
    const ids = byOwner.get(subscription_id);
    if (ids === undefined) byOwner.set(subscription_id, new Set([id]));
    else ids.add(id);
  }
  return {
    get size() {
      return owners.size;
    },
    has: (id) => owners.has(id),
    subscriptionOf: (id) => owners.get(id) ?? null,
    idsOf: (subscription) => [...(byOwner.get(subscription) ?? [])],
    count: (subscription) => byOwner.get(subscription)?.size ?? 0,
    remove(id) {
      const owner = owners.get(id);
      if (owner === undefined) return false;
      owners.delete(id);
      byOwner.get(owner)?.delete(id);
      return true;
    },
  };
}
