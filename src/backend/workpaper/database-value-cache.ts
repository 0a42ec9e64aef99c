import { getChangeStamp } from '../store/sqlite/change-detection.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Creates a cache of values by name until a database changes. The databases must be read in one transaction. */
export function createDatabaseValueCache<Value>(): (
  stores: readonly [ReadableDb, ...ReadableDb[]],
  name: string,
  compute: () => Value,
) => Value {
  const byDatabase = new WeakMap<ReadableDb, { stamp: string; byName: Map<string, Value> }>();
  return (stores, name, compute) => {
    const stamp = stores.map(getChangeStamp).join();
    let entry = byDatabase.get(stores[0]);
    if (entry?.stamp !== stamp) {
      entry = { stamp, byName: new Map() };
      byDatabase.set(stores[0], entry);
    }
    const value = entry.byName.get(name) ?? compute();
    entry.byName.set(name, value);
    return value;
  };
}
