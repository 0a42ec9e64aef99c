import type { SiteFile, StatusSnapshot } from '../backend/index.ts';

export type { SiteFile, StatusSnapshot } from '../backend/index.ts';

/** A home inspected without opening it: no backend, no keychain, no log. */
export interface Look {
  /** The sites by name. */
  readonly sites: readonly SiteFile[];
  /** Returns the status snapshot of a site with the latest problems, or null if only the backend can answer. */
  glanceAt(site: SiteFile, problems: number): StatusSnapshot | null;
}

/** Inspects a home prepared by `prepareHome`. */
export async function lookAt(home: string): Promise<Look> {
  const { loadStatusSnapshot } = await import('../backend/index.ts');
  const { readStatusSnapshot, readSites } = await loadStatusSnapshot();
  return {
    sites: readSites(home),
    glanceAt: (site, problems) => readStatusSnapshot(home, site, problems),
  };
}
