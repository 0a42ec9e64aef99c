import { stampOf } from '../store/sqlite/change-counter.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/**
 * Caches values computed from databases by name until one of them changes, so that a pass over many rows runs once. The
 * databases are read in one transaction.
 */
export function keeper<Value>(): (
  stores: readonly [ReadableDb, ...ReadableDb[]],
  name: string,
  make: () => Value,
) => Value {
  const kept = new WeakMap<ReadableDb, { stamp: string; byName: Map<string, Value> }>();
  return (stores, name, make) => {
    const stamp = stores.map(stampOf).join();
    let known = kept.get(stores[0]);
    if (known?.stamp !== stamp) {
      known = { stamp, byName: new Map() };
      kept.set(stores[0], known);
    }
    const value = known.byName.get(name) ?? make();
    known.byName.set(name, value);
    return value;
  };
}
