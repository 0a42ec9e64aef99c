import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../../contract/index.ts';
import { siteNamePattern } from '../../contract/shared/site-name.ts';
import { writeFileDurably } from '../shared/durable-file.ts';

/** Content of `sites/<site>/site.json`, a site's data outside its databases. The API key is in the keychain. */
export type SiteFile = Pick<
  Site,
  'site' | 'title' | 'base_url' | 'format' | 'currency' | 'demo' | 'created_at' | 'service_details'
>;

/** Parses a site file. Returns null if its content is invalid. Uses no schema library, so that it loads fast. */
export function parseSiteFile(read: unknown): SiteFile | null {
  if (typeof read !== 'object' || read === null) return null;
  const { site, title, base_url, format, currency, demo, created_at } = read as Record<string, unknown>;
  const fields = { site, title, base_url, format, currency, demo, created_at };
  const { service_details } = read as { service_details?: unknown };
  return isSiteFile(fields) ? { ...fields, service_details: parseServiceDetails(service_details) } : null;
}

function parseServiceDetails(read: unknown): SiteFile['service_details'] {
  if (typeof read !== 'object' || read === null) return null;
  const { bills_by, currencies, is_test, region } = read as Record<string, unknown>;
  return {
    bills_by: bills_by === 'statements' || bills_by === 'invoices' ? bills_by : null,
    currencies: Array.isArray(currencies) ? currencies.filter((code) => typeof code === 'string') : [],
    is_test: typeof is_test === 'boolean' ? is_test : null,
    region: region === 'us' || region === 'eu' ? region : null,
  };
}

type RequiredSiteFields = Omit<SiteFile, 'service_details'>;

function isSiteFile(fields: Record<keyof RequiredSiteFields, unknown>): fields is RequiredSiteFields {
  const { site, title, base_url, format, currency, demo, created_at } = fields;
  return (
    typeof site === 'string' &&
    siteNamePattern.test(site) &&
    [title, base_url, currency, created_at].every((text) => typeof text === 'string') &&
    (format === 'json' || format === 'xml') &&
    typeof demo === 'boolean'
  );
}

/** Returns the path of a site's folder, which may not exist. */
export function getSiteFolder(home: string, site: string): string {
  return join(home, 'sites', site);
}

/** Returns all sites of the home, sorted by name. Skips folders without a readable `site.json`. */
export function readSites(home: string): SiteFile[] {
  const folder = join(home, 'sites');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readSite(home, name) ?? []);
}

/** Returns a site, or null if it does not exist. */
export function readSite(home: string, site: string): SiteFile | null {
  if (!siteNamePattern.test(site)) return null;
  const path = join(getSiteFolder(home, site), 'site.json');
  if (!existsSync(path)) return null;
  try {
    const file = parseSiteFile(JSON.parse(readFileSync(path, 'utf8')));
    return file?.site === site ? file : null;
  } catch {
    return null;
  }
}

export function createUnknownSiteError(site: string) {
  return {
    code: 'not_found' as const,
    message: `There is no site named ${site}.`,
    hint: 'See “Sites” for the connected sites, or connect one.',
    retryable: false,
  };
}

/** Saves a site and creates its folder if necessary. */
export function writeSite(home: string, site: SiteFile): void {
  const folder = getSiteFolder(home, site.site);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileDurably(join(folder, 'site.json'), `${JSON.stringify(site, null, 2)}\n`);
}

/** Derives a site name from a title. `Acme & Söhne` becomes `acme-sohne`, or `acme-sohne-2` if that name is taken. */
export function deriveSiteName(title: string, taken: ReadonlySet<string>): string {
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
