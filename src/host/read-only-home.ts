import type { SiteFile, StatusSnapshot } from '../backend/index.ts';

export type { SiteFile, StatusSnapshot } from '../backend/index.ts';

export type ReadOnlyHome = Awaited<ReturnType<typeof openHomeReadOnly>>;

/** Opens a prepared home for reading, without starting a backend, a keychain or a log. */
export async function openHomeReadOnly(home: string) {
  const { loadStatusSnapshot } = await import('../backend/index.ts');
  const { readStatusSnapshot, readSites } = await loadStatusSnapshot();
  return {
    /** All sites, sorted by name. */
    sites: readSites(home) as readonly SiteFile[],
    /** Returns a site's status with the latest problems. Returns null if only the backend can answer. */
    readStatusSnapshot: (site: SiteFile, problems: number): StatusSnapshot | null =>
      readStatusSnapshot(home, site, problems),
  };
}
