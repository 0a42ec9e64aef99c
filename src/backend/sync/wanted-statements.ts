export interface WantedStatement {
  id: number;
  /** Null where only reading it can tell. */
  subscription_id: number | null;
}

/** The statements still to be fetched, by whose they are. */
export interface Wanted {
  readonly size: number;
  has(id: number): boolean;
  /** Whose a wanted statement is; null where that is not known, or where it is not wanted. */
  ownerOf(id: number): number | null;
  /** The wanted ones of a subscription; of none that is known with null. */
  of(subscription: number | null): readonly number[];
  count(subscription: number | null): number;
  /** Takes one off; gives whether it was wanted. */
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
