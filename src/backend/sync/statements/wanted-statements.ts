export interface WantedStatement {
  id: number;
  /** Null if only reading the statement reveals its subscription. */
  subscription_id: number | null;
}

/** The statements still to fetch, by subscription. */
export interface Wanted {
  readonly size: number;
  has(id: number): boolean;
  /** Returns the subscription of a requested statement, or null if it is unknown or the statement is not requested. */
  ownerOf(id: number): number | null;
  /** Returns the requested statements of a subscription, or those of unknown subscriptions for null. */
  of(subscription: number | null): readonly number[];
  count(subscription: number | null): number;
  /** Removes a statement. Returns true if it was requested. */
  strike(id: number): boolean;
}

export function wantedOf(statements: readonly WantedStatement[]): Wanted {
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
    ownerOf: (id) => owners.get(id) ?? null,
    of: (subscription) => [...(byOwner.get(subscription) ?? [])],
    count: (subscription) => byOwner.get(subscription)?.size ?? 0,
    strike(id) {
      const owner = owners.get(id);
      if (owner === undefined) return false;
      owners.delete(id);
      byOwner.get(owner)?.delete(id);
      return true;
    },
  };
}
