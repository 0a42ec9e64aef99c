import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { siteNamePattern } from '../../contract/shared/site-name.ts';
import { findLastAuditEntry } from '../store/audit-log/audit-entry-list.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import { getSiteFolder, parseSiteFile, readSite, type SiteFile, writeSite } from './site-file.ts';

/** Returns the names of site folders with books or a `site.json` that cannot be read. They are not shown as sites. */
export function findFoldersWithoutSiteFile(home: string): string[] {
  const folder = join(home, 'sites');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => siteNamePattern.test(name))
    .filter((name) => readSite(home, name) === null)
    .filter((name) => ['books.db', 'site.json'].some((file) => existsSync(join(folder, name, file))))
    .sort();
}

/** Rebuilds unreadable `site.json` files from the audit log, if possible. Damaged files are renamed, not deleted. */
export function repairSiteFiles(home: string): void {
  for (const name of findFoldersWithoutSiteFile(home)) {
    const restored = readSiteFromAuditLog(home, name);
    if (restored === null) continue;
    const path = join(getSiteFolder(home, name), 'site.json');
    if (existsSync(path)) renameSync(path, `${path}.damaged`);
    writeSite(home, restored);
  }
}

function readSiteFromAuditLog(home: string, site: string): SiteFile | null {
  try {
    const books = openStore(join(getSiteFolder(home, site), 'books.db'), 'books', { readonly: true });
    try {
      const added = findLastAuditEntry(books, 'sites.add', site);
      const updated = findLastAuditEntry(books, 'sites.update', site);
      if (added === null) return null;
      const restored = { site, created_at: added.at, ...added.detail, ...updated?.detail };
      return parseSiteFile(restored);
    } finally {
      closeStore(books);
    }
  } catch {
    return null;
  }
}
