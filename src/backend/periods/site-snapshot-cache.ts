import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { runInTimeSlices } from '../shared/time-slices.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { getChangeStamp } from '../store/sqlite/change-detection.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { openSiteSnapshot, type SiteSnapshot } from '../workpaper/site-snapshot.ts';

/** Site whose databases the caller keeps open. */
export interface OpenSiteDatabases {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

/** Returns a text that changes whenever a source of the workpaper changes. */
export const getSiteDataVersion = ({ cache, books, file }: OpenSiteDatabases): string =>
  [getChangeStamp(cache), getChangeStamp(books), JSON.stringify(file)].join();

interface CachedValue<Value> {
  readonly stamp: string;
  readonly value: Promise<Value>;
}

/** Creates a cache for `maxEntries` values computed from a snapshot. A change of the site invalidates them. */
export function createSnapshotCache<Value>(
  maxEntries: number,
): (
  site: OpenSiteDatabases,
  name: string,
  steps: (snapshot: SiteSnapshot) => WorkSteps<Value>,
) => Promise<Value> {
  const valuesByDatabase = new WeakMap<ReadableDb, Map<string, CachedValue<Value>>>();
  return (site, name, steps) => {
    const { file, folder, books } = site;
    const values = valuesByDatabase.get(books) ?? new Map<string, CachedValue<Value>>();
    valuesByDatabase.set(books, values);
    const stamp = getSiteDataVersion(site);
    const cached = values.get(name);
    values.delete(name);
    const value =
      cached?.stamp === stamp ? cached.value : computeFromSnapshot(openSiteSnapshot({ file, folder }), steps);
    values.set(name, { stamp, value: value });
    for (const oldest of values.keys()) if (values.size > maxEntries) values.delete(oldest);
    value.catch(() => {
      if (values.get(name)?.value === value) values.delete(name);
    });
    return value;
  };
}

async function computeFromSnapshot<Value>(
  snapshot: SiteSnapshot,
  steps: (snapshot: SiteSnapshot) => WorkSteps<Value>,
): Promise<Value> {
  try {
    return await runInTimeSlices(steps(snapshot));
  } finally {
    snapshot.close();
  }
}
