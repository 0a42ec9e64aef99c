import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { siteNamePattern } from '../../contract/shared/site-name.ts';
import { lastEntry } from '../store/audit-log/audit-list.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import { parseSiteFile, readSite, type SiteFile, siteFolder, writeSite } from './site-file.ts';

/** Returns the names of folders that contain books but no readable `site.json`, and are therefore not shown as sites. */
export function foldersWithoutSiteFile(home: string): string[] {
  const folder = join(home, 'sites');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => siteNamePattern.test(name))
    .filter((name) => readSite(home, name) === null && existsSync(join(folder, name, 'books.db')))
    .sort();
}

/**
 * Rebuilds the `site.json` of each such folder from the audit log and keeps the damaged file beside it. A folder whose
 * books do not say enough stays unchanged; the doctor reports it.
 */
export function repairSites(home: string): void {
  for (const name of foldersWithoutSiteFile(home)) {
    const told = asTold(home, name);
    if (told === null) continue;
    const path = join(siteFolder(home, name), 'site.json');
    if (existsSync(path)) renameSync(path, `${path}.damaged`);
    writeSite(home, told);
  }
}

function asTold(home: string, site: string): SiteFile | null {
  try {
    const books = openStore(join(siteFolder(home, site), 'books.db'), 'books', { readonly: true });
    try {
      const added = lastEntry(books, 'sites.add', site);
      const updated = lastEntry(books, 'sites.update', site);
      if (added === null) return null;
      const told = { site, created_at: added.at, ...added.detail, ...updated?.detail };
      return parseSiteFile(told);
    } finally {
      closeStore(books);
    }
  } catch {
    return null;
  }
}
