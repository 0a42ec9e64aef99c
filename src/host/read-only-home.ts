import type { SiteFile, StatusSnapshot } from '../backend/index.ts';

export type { SiteFile, StatusSnapshot } from '../backend/index.ts';

export type ReadOnlyHome = Awaited<ReturnType<typeof openHomeReadOnly>>;

/**
 * Opens a prepared home for reading, without starting a backend, a keychain or a log. Unreadable site files are first
 * restored from the audit log, as when the app starts.
 */
export async function openHomeReadOnly(home: string) {
  const { loadSiteFileRepair, loadStatusSnapshot } = await import('../backend/index.ts');
  const { findFoldersWithoutSiteFile, readStatusSnapshot, readSites } = await loadStatusSnapshot();
  if (findFoldersWithoutSiteFile(home).length > 0) (await loadSiteFileRepair()).repairSiteFiles(home);
  return {
    /** All sites, sorted by name. */
    sites: readSites(home) as readonly SiteFile[],
    /** Names of site folders whose `site.json` cannot be read or restored. */
    unreadable: findFoldersWithoutSiteFile(home),
    /** Returns a site's status with the latest problems. Returns null if only the backend can answer. */
    readStatusSnapshot: (site: SiteFile, problems: number): StatusSnapshot | null =>
      readStatusSnapshot(home, site, problems),
  };
}
