import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parseBaseUrl } from '../../billing/index.ts';
import { contractError, errorOf, type Inputs, type Outputs, type Site } from '../../contract/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { refuseLockedSite } from '../period-lock/period-lock.ts';
import { syncFolder } from '../shared/durable-file.ts';
import type { ShellClient } from '../shared/start-options.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import {
  readSite,
  readSites,
  type SiteFile,
  siteFolder,
  siteNameFromTitle,
  unknownSiteError,
  writeSite,
} from '../sites/site-file.ts';
import type { SiteLocks } from '../sites/site-lock.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { commit } from '../store/sqlite/connection.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { testConnection } from './connection-test.ts';

export interface SiteSetupContext {
  home: string;
  shell: ShellClient;
  stores: SiteDatabases;
  locks: SiteLocks;
  jobs: Jobs;
  changes: ChangeEvents;
  user: string;
  now: () => number;
}

/**
 * Adds a site. Tests the address and the key, and saves them only if the service answers. The key is saved in the
 * keychain.
 */
export async function addSite(
  context: SiteSetupContext,
  input: Inputs['sites']['add'] & { format?: SiteFile['format'] },
  signal?: AbortSignal,
): Promise<Site> {
  const { home, shell } = context;
  const taken = new Set(readSites(home).map((each) => each.site));
  const site = input.site ?? siteNameFromTitle(input.title, taken);
  if (taken.has(site) || existsSync(siteFolder(home, site))) {
    throw contractError({
      code: 'conflict',
      message: `There is a site called ${site} already.`,
      hint: 'Choose another name, or change that site.',
      retryable: false,
    });
  }
  const file: SiteFile = {
    site,
    title: input.title.trim(),
    base_url: normalizeUrl(input.base_url),
    format: input.format ?? 'json',
    currency: input.currency ?? 'USD',
    demo: input.demo ?? false,
    created_at: new Date().toISOString(),
  };
  const key = input.api_key ?? (await shell.keychain.get({ site })).api_key;
  if (key === null) throw contractError(missingKeyError(site));
  await testConnection({ site: file, key: async () => key, signal });

  if (input.api_key !== undefined) await shell.keychain.set({ site, api_key: input.api_key });
  try {
    writeSite(home, file);
    const { title, base_url, format, currency, demo } = file;
    addSiteAudit(context, 'sites.add', site, { title, base_url, format, currency, demo });
  } catch (error) {
    if (input.api_key !== undefined) await shell.keychain.forget({ site });
    throw error;
  }
  context.changes.emit(null, 'sites');
  return describeSite(context, file);
}

/**
 * Tests the connection to a saved or new site. Saves nothing. Throws `not_found`, `auth` if there is no key, and the
 * service's errors.
 */
export async function testSite(
  { home, shell }: SiteSetupContext,
  input: Inputs['sites']['test'],
  signal?: AbortSignal,
): Promise<Outputs['sites']['test']> {
  if ('site' in input) {
    const file = requireSite(home, input.site);
    const { api_key } = await shell.keychain.get({ site: file.site });
    if (api_key === null) throw contractError(missingKeyError(file.site));
    const found = await testConnection({
      site: file,
      key: async () => api_key,
      ...(signal ? { signal } : {}),
    });
    return { ok: true, ...found };
  }
  const { api_key } = input;
  const found = await testConnection({
    site: input,
    key: async () => api_key,
    ...(signal ? { signal } : {}),
  });
  return { ok: true, ...found };
}

/**
 * Changes a site's data. A new address is saved without a test. Throws `period_locked` if the currency would change and
 * there are closed periods.
 */
export async function updateSite(context: SiteSetupContext, input: Inputs['sites']['update']): Promise<Site> {
  const { home, jobs } = context;
  const before = requireSite(home, input.site);
  const file: SiteFile = {
    ...before,
    title: input.title?.trim() ?? before.title,
    base_url: input.base_url === undefined ? before.base_url : normalizeUrl(input.base_url),
    format: input.format ?? before.format,
    currency: input.currency ?? before.currency,
  };
  const hasConnectionChanged = file.base_url !== before.base_url || file.format !== before.format;
  if (hasConnectionChanged && jobs.findRunning(file.site) !== null)
    throw contractError(jobRunningError(file.site, 'changed'));
  if (file.currency !== before.currency)
    refuseLockedSite(context.stores.open(file.site).books, before.currency);
  writeSite(home, file);
  const { title, base_url, format, currency } = file;
  addSiteAudit(context, 'sites.update', file.site, { title, base_url, format, currency });
  context.changes.emit(null, 'sites');
  return describeSite(context, file);
}

/** Replaces the API key after the service has accepted the new one. */
export async function replaceApiKey(
  context: SiteSetupContext,
  { site, api_key }: Inputs['sites']['replaceKey'],
  signal?: AbortSignal,
): Promise<Site> {
  const file = requireSite(context.home, site);
  await testConnection({ site: file, key: async () => api_key, signal });
  await context.shell.keychain.set({ site, api_key });
  addSiteAudit(context, 'sites.replaceKey', site, {});
  context.changes.emit(null, 'sites');
  return describeSite(context, file);
}

/** Removes a site: deletes its API key and moves its folder to `removed/`. No other data is deleted. */
export async function removeSite(
  context: SiteSetupContext,
  { site }: Inputs['sites']['remove'],
): Promise<Outputs['sites']['remove']> {
  const { home, shell, stores, locks, jobs, changes } = context;
  const { demo } = requireSite(home, site);
  if (jobs.findRunning(site) !== null) throw contractError(jobRunningError(site, 'removed'));
  const lock = locks.acquire(site, 'removing the site');
  if ('conflict' in lock) throw contractError(lock.conflict);
  lock.release();
  // Throws here if the keychain does not respond, before the books record the removal. The demo's key was never in the
  // keychain.
  // keychain.
  if (!demo) await shell.keychain.hint({ site });
  auditRemoval(context, site);
  stores.close(site);
  const removed = join(home, 'removed');
  mkdirSync(removed, { recursive: true, mode: 0o700 });
  const name = `${site}-${new Date().toISOString().replace(/[-:.]/g, '')}`;
  renameSync(siteFolder(home, site), join(removed, name));
  try {
    await shell.keychain.forget({ site });
  } catch (error) {
    if (!demo) {
      renameSync(join(removed, name), siteFolder(home, site));
      throw error;
    }
  }
  syncFolder(removed);
  changes.emit(null, 'sites');
  return { set_aside: join('removed', name) };
}

/** Returns a site in the format of the contract. */
async function describeSite({ shell, stores }: SiteSetupContext, file: SiteFile): Promise<Site> {
  const { key_hint } = await shell.keychain.hint({ site: file.site });
  const synced = partState(stores.open(file.site).cache, 'webhooks')?.synced_at ?? null;
  return {
    ...file,
    has_key: key_hint !== null,
    key_hint,
    last_synced_at: synced === null ? null : new Date(synced).toISOString(),
  };
}

/** Adds an action on the site to its audit log. Keys are never logged. */
function addSiteAudit(
  { stores, changes, user, now }: SiteSetupContext,
  action: string,
  site: string,
  detail: Record<string, unknown>,
): void {
  const { books } = stores.open(site);
  commit(books, () => addAudit(books, { at: now(), user: user, action, subject: site, detail }));
  changes.emit(site, 'audit');
}

/** Adds the removal to the audit log, if possible. A site with damaged books can be removed without an entry. */
function auditRemoval(context: SiteSetupContext, site: string): void {
  try {
    addSiteAudit(context, 'sites.remove', site, {});
  } catch (error) {
    if (errorOf(error).code !== 'corrupt') throw error;
  }
}

function requireSite(home: string, site: string): SiteFile {
  const file = readSite(home, site);
  if (file === null) throw contractError(unknownSiteError(site));
  return file;
}

/** Normalizes an address. Throws `validation` if it is invalid. */
function normalizeUrl(text: string): string {
  const { origin, prefix } = parseBaseUrl(text);
  return origin + prefix;
}

function missingKeyError(site: string) {
  return {
    code: 'auth' as const,
    message: `There is no API key for ${site}.`,
    hint: 'Give the key of this site; it is kept in the keychain.',
    retryable: false,
  };
}

function jobRunningError(site: string, what: string) {
  return {
    code: 'conflict' as const,
    message: `A job is running on ${site}, so it is not ${what} now.`,
    hint: 'Wait until it is done, or cancel it.',
    retryable: true,
  };
}
