import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { siteNamePattern } from '../../contract/shared/site-name.ts';
import { readSite } from './site-file.ts';

/** Returns the names of site folders with books or an unreadable `site.json`. The app does not show them as sites. */
export function findFoldersWithoutSiteFile(home: string): string[] {
  const folder = join(home, 'sites');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => siteNamePattern.test(name))
    .filter((name) => readSite(home, name) === null)
    .filter((name) => ['books.db', 'site.json'].some((file) => existsSync(join(folder, name, file))))
    .sort();
}
