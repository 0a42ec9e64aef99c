import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { siteNamePattern } from '../../contract/site-name.ts';
import { lastEntry } from '../store/books/audit-list.ts';
import { closeStore, openStore } from '../store/open.ts';
import { readSite, type SiteFile, siteFileOf, siteFolder, writeSite } from './site-file.ts';

/** The folders that hold books and no readable `site.json`, and so show no site; by name. */
export function namelessFolders(home: string): string[] {
  const folder = join(home, 'sites');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => siteNamePattern.test(name))
    .filter((name) => readSite(home, name) === null && existsSync(join(folder, name, 'books.db')))
    .sort();
}

/**
 * Writes the `site.json` of each such folder anew, as the audit log last told it; what was there is kept beside it.
 * A folder whose books cannot tell is left as it is: the doctor names it.
 */
export function mendSites(home: string): void {
  for (const name of namelessFolders(home)) {
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
      return siteFileOf(told);
    } finally {
      closeStore(books);
    }
  } catch {
    return null;
  }
}
