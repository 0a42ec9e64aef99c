import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../../contract/index.ts';
import { siteNamePattern } from '../../contract/site-name.ts';
import { writeDurably } from './durable-file.ts';

/** What is kept of a site outside its databases: `sites/<site>/site.json`. The key is in the keychain, never here. */
export type SiteFile = Pick<
  Site,
  'site' | 'title' | 'base_url' | 'format' | 'currency' | 'demo' | 'created_at'
>;

/** What was read as a site's file; null where it is none. Without a schema: a command that only looks need not load those. */
export function siteFileOf(read: unknown): SiteFile | null {
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

/** Where a site keeps all its files. Nothing is made. */
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
  if (!siteNamePattern.test(site)) return null;
  const path = join(siteFolder(home, site), 'site.json');
  if (!existsSync(path)) return null;
  try {
    const file = siteFileOf(JSON.parse(readFileSync(path, 'utf8')));
    return file?.site === site ? file : null;
  } catch {
    return null;
  }
}

/** The error of a site that is not there. */
export function noSuchSite(site: string) {
  return {
    code: 'not_found' as const,
    message: `There is no site called ${site}.`,
    hint: 'See “Sites” for those there are, or connect one.',
    retryable: false,
  };
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
