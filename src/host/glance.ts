import type { Glance, SiteFile } from '../backend/index.ts';

export type { Glance, SiteFile } from '../backend/index.ts';

/** A home that is looked at and not opened: no backend, no keychain, no log. */
export interface Look {
  /** The sites there are, by name. */
  readonly sites: readonly SiteFile[];
  /** What is held of one, with the newest so many problems; null where only the backend can say. */
  glanceAt(site: SiteFile, problems: number): Glance | null;
}

/** Looks at a home that `prepareHome` has made sure of. */
export async function lookAt(home: string): Promise<Look> {
  const { loadGlance } = await import('../backend/index.ts');
  const { glanceAt, readSites } = await loadGlance();
  return {
    sites: readSites(home),
    glanceAt: (site, problems) => glanceAt(home, site, problems),
  };
}
