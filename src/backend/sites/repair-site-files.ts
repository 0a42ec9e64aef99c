import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { findLastAuditEntry } from '../store/audit-log/audit-entry-list.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import { findFoldersWithoutSiteFile } from './folders-without-site-file.ts';
import { getSiteFolder, parseSiteFile, type SiteFile, writeSite } from './site-file.ts';

/** Rebuilds unreadable `site.json` files from the audit log if possible. Damaged files are renamed, not deleted. */
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
