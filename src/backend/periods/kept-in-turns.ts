import { type SiteSnapshot, snapshotOf } from '../report/snapshot.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { inTurns, type Steps } from '../steps.ts';
import { stampOf } from '../store/changed.ts';
import type { ReadableDb } from '../store/database.ts';

/** A site whose stores somebody holds open. */
export interface HeldSite {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

/** Another text after any change of what a workpaper is made of. */
export const siteStamp = ({ cache, books, file }: HeldSite): string =>
  [stampOf(cache), stampOf(books), JSON.stringify(file)].join();

interface Kept<Value> {
  readonly stamp: string;
  readonly made: Promise<Value>;
}

/**
 * Keeps what is made of a site, by names, until something of the site changes: `most` of the newest. It is made in turns with whatever else the
 * thread has to do, from a state of its own, so that all of it is of one instant: that of the call.
 */
export function keeperInTurns<Value>(
  most: number,
): (site: HeldSite, name: string, steps: (snapshot: SiteSnapshot) => Steps<Value>) => Promise<Value> {
  const keptBy = new WeakMap<ReadableDb, Map<string, Kept<Value>>>();
  return (site, name, steps) => {
    const { file, folder, books } = site;
    const kept = keptBy.get(books) ?? new Map<string, Kept<Value>>();
    keptBy.set(books, kept);
    const stamp = siteStamp(site);
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
  steps: (snapshot: SiteSnapshot) => Steps<Value>,
): Promise<Value> {
  try {
    return await inTurns(steps(snapshot));
  } finally {
    snapshot.close();
  }
}
