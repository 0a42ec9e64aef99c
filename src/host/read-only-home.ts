import type { SiteFile, StatusSnapshot } from '../backend/index.ts';

export type { SiteFile, StatusSnapshot } from '../backend/index.ts';

/** Home that is read without starting a backend, a keychain or a log. */
export interface ReadOnlyHome {
  /** All sites, sorted by name. */
  readonly sites: readonly SiteFile[];
  /** Returns the status snapshot of a site with the latest problems. Returns null if only the backend can answer. */
  readStatusSnapshot(site: SiteFile, problems: number): StatusSnapshot | null;
}

/** Opens a home for reading. The home must have been prepared by `prepareHome`. */
export async function openHomeReadOnly(home: string): Promise<ReadOnlyHome> {
  const { loadStatusSnapshot } = await import('../backend/index.ts');
  const { readStatusSnapshot, readSites } = await loadStatusSnapshot();
  return {
    sites: readSites(home),
    readStatusSnapshot: (site, problems) => readStatusSnapshot(home, site, problems),
  };
}
