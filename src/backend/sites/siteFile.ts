import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { siteName, wireFormat } from '../../contract/index.ts';
import { writeDurably } from './durableFile.ts';

/** What is kept of a site outside its databases: `sites/<site>/site.json`. The key is in the keychain, never here. */
export const siteFile = z.object({
  site: siteName,
  title: z.string(),
  base_url: z.string(),
  format: wireFormat,
  currency: z.string(),
  demo: z.boolean(),
  created_at: z.string(),
});
export type SiteFile = z.infer<typeof siteFile>;

export function siteFolder(home: string, site: string): string {
  return join(home, 'sites', site);
}

/** Every readable site of the home, by name. A folder without a readable `site.json` is not a site. */
export function readSites(home: string): SiteFile[] {
  const folder = join(home, 'sites');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readSite(home, name) ?? []);
}

/** Null where there is no such site. */
export function readSite(home: string, site: string): SiteFile | null {
  if (!siteName.safeParse(site).success) return null;
  const path = join(siteFolder(home, site), 'site.json');
  if (!existsSync(path)) return null;
  try {
    const read = siteFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return read.success && read.data.site === site ? read.data : null;
  } catch {
    return null;
  }
}

/** Keeps a site, making its folder where there is none. */
export function writeSite(home: string, site: SiteFile): void {
  const folder = siteFolder(home, site.site);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeDurably(join(folder, 'site.json'), `${JSON.stringify(site, null, 2)}\n`);
}

/** A name for a site made from its title: `Acme & Söhne` becomes `acme-sohne`, and `acme-sohne-2` where that is taken. */
export function nameFromTitle(title: string, taken: ReadonlySet<string>): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 36)
    .replace(/-+$/, '');
  const name = plain === '' ? 'site' : plain;
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}
