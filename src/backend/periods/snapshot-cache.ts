import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { runInTimeSlices } from '../shared/time-slices.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { stampOf } from '../store/sqlite/change-counter.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { type SiteSnapshot, snapshotOf } from '../workpaper/site-snapshot.ts';

/** A site whose databases the caller holds open. */
export interface OpenSiteHandles {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

/** Returns a text that differs after any change of a workpaper's sources. */
export const siteVersion = ({ cache, books, file }: OpenSiteHandles): string =>
  [stampOf(cache), stampOf(books), JSON.stringify(file)].join();

interface Kept<Value> {
  readonly stamp: string;
  readonly made: Promise<Value>;
}

/**
 * Caches values computed from a site by name until the site changes, the `most` newest ones. A value is computed in time
 * slices from one snapshot, that of the call.
 */
export function createSnapshotCache<Value>(
  most: number,
): (
  site: OpenSiteHandles,
  name: string,
  steps: (snapshot: SiteSnapshot) => WorkSteps<Value>,
) => Promise<Value> {
  const keptBy = new WeakMap<ReadableDb, Map<string, Kept<Value>>>();
  return (site, name, steps) => {
    const { file, folder, books } = site;
    const kept = keptBy.get(books) ?? new Map<string, Kept<Value>>();
    keptBy.set(books, kept);
    const stamp = siteVersion(site);
    const known = kept.get(name);
    kept.delete(name);
    const made = known?.stamp === stamp ? known.made : fromSnapshot(snapshotOf({ file, folder }), steps);
    kept.set(name, { stamp, made });
    for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
    made.catch(() => {
      if (kept.get(name)?.made === made) kept.delete(name);
    });
    return made;
  };
}

async function fromSnapshot<Value>(
  snapshot: SiteSnapshot,
  steps: (snapshot: SiteSnapshot) => WorkSteps<Value>,
): Promise<Value> {
  try {
    return await runInTimeSlices(steps(snapshot));
  } finally {
    snapshot.close();
  }
}
