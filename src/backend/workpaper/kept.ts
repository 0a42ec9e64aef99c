import { stampOf } from '../store/changed.ts';
import type { ReadableDb } from '../store/database.ts';

/**
 * Keeps what is made of stores, by names, until one of them changes: so that what takes a pass over many rows is made once, however often it is
 * looked at. The stores are read in one transaction.
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
