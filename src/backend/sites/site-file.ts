import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../../contract/index.ts';
import { siteNamePattern } from '../../contract/shared/site-name.ts';
import { writeFileDurably } from '../shared/durable-file.ts';

/** Site data stored outside its databases, in `sites/<site>/site.json`. The key is in the keychain, never here. */
export type SiteFile = Pick<
  Site,
  'site' | 'title' | 'base_url' | 'format' | 'currency' | 'demo' | 'created_at'
>;

/**
 * Validates the content of a site's file. Returns null if it is invalid. Uses no schema library, because read-only
 * commands need not load it.
 */
export function parseSiteFile(read: unknown): SiteFile | null {
  if (typeof read !== 'object' || read === null) return null;
  const { site, title, base_url, format, currency, demo, created_at } = read as Record<string, unknown>;
  const told = { site, title, base_url, format, currency, demo, created_at };
  return isSiteFile(told) ? told : null;
}

function isSiteFile(told: Record<keyof SiteFile, unknown>): told is SiteFile {
  const { site, title, base_url, format, currency, demo, created_at } = told;
  return (
    typeof site === 'string' &&
    siteNamePattern.test(site) &&
    [title, base_url, currency, created_at].every((text) => typeof text === 'string') &&
    (format === 'json' || format === 'xml') &&
    typeof demo === 'boolean'
  );
}

/** Returns the folder of a site's files. Creates nothing. */
export function siteFolder(home: string, site: string): string {
  return join(home, 'sites', site);
}

/** Returns every readable site of the home by name. A folder without a readable `site.json` is not a site. */
export function readSites(home: string): SiteFile[] {
  const folder = join(home, 'sites');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readSite(home, name) ?? []);
}

/** Returns null if the site does not exist. */
export function readSite(home: string, site: string): SiteFile | null {
  if (!siteNamePattern.test(site)) return null;
  const path = join(siteFolder(home, site), 'site.json');
  if (!existsSync(path)) return null;
  try {
    const file = parseSiteFile(JSON.parse(readFileSync(path, 'utf8')));
    return file?.site === site ? file : null;
  } catch {
    return null;
  }
}

/** Returns the error for an unknown site. */
export function noSuchSiteError(site: string) {
  return {
    code: 'not_found' as const,
    message: `There is no site called ${site}.`,
    hint: 'See “Sites” for those there are, or connect one.',
    retryable: false,
  };
}

/** Saves a site and creates its folder if necessary. */
export function writeSite(home: string, site: SiteFile): void {
  const folder = siteFolder(home, site.site);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileDurably(join(folder, 'site.json'), `${JSON.stringify(site, null, 2)}\n`);
}

/** Returns a site name made from a title: `Acme & Söhne` becomes `acme-sohne`, or `acme-sohne-2` if that is taken. */
export function siteNameFromTitle(title: string, taken: ReadonlySet<string>): string {
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
