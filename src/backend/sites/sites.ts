import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parseBaseUrl } from '../../billing/index.ts';
import { contractError, errorOf, type Inputs, type Outputs, type Site } from '../../contract/index.ts';
import type { Changes } from '../jobs/changes.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SiteLocks } from '../jobs/site-lock.ts';
import { refuseLockedSite } from '../periods/locked.ts';
import type { ShellClient } from '../start.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { testConnection } from './connection.ts';
import { syncFolder } from './durable-file.ts';
import {
  nameFromTitle,
  noSuchSite,
  readSite,
  readSites,
  type SiteFile,
  siteFolder,
  writeSite,
} from './site-file.ts';
import type { Stores } from './stores.ts';

export interface SitesContext {
  home: string;
  shell: ShellClient;
  stores: Stores;
  locks: SiteLocks;
  jobs: Jobs;
  changes: Changes;
  user: string;
  now: () => number;
}

/** Tries the address and the key; only when the service answers are they kept, the key in the keychain. */
export async function addSite(
  context: SitesContext,
  input: Inputs['sites']['add'] & { format?: SiteFile['format'] },
  signal?: AbortSignal,
): Promise<Site> {
  const { home, shell } = context;
  const taken = new Set(readSites(home).map((each) => each.site));
  const site = input.site ?? nameFromTitle(input.title, taken);
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
    base_url: plainUrl(input.base_url),
    format: input.format ?? 'json',
    currency: input.currency ?? 'USD',
    demo: input.demo ?? false,
    created_at: new Date().toISOString(),
  };
  const key = input.api_key ?? (await shell.keychain.get({ site })).api_key;
  if (key === null) throw contractError(noKey(site));
  await testConnection({ site: file, key: async () => key, signal });

  if (input.api_key !== undefined) await shell.keychain.set({ site, api_key: input.api_key });
  try {
    writeSite(home, file);
    const { title, base_url, format, currency, demo } = file;
    note(context, 'sites.add', site, { title, base_url, format, currency, demo });
  } catch (error) {
    if (input.api_key !== undefined) await shell.keychain.forget({ site });
    throw error;
  }
  context.changes.tell(null, 'sites');
  return describeSite(context, file);
}

/**
 * Tries to reach a site, one that is kept or one being connected; nothing is kept. Throws `not_found`, `auth` where there
 * is no key, and what a call of the service throws.
 */
export async function testSite(
  { home, shell }: SitesContext,
  input: Inputs['sites']['test'],
  signal?: AbortSignal,
): Promise<Outputs['sites']['test']> {
  if ('site' in input) {
    const file = wanted(home, input.site);
    const { api_key } = await shell.keychain.get({ site: file.site });
    if (api_key === null) throw contractError(noKey(file.site));
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
 * Changes what is kept of a site. A new address is only noted: whether it answers shows with the next request. Throws `period_locked` for
 * another currency than a period was signed in.
 */
export async function updateSite(context: SitesContext, input: Inputs['sites']['update']): Promise<Site> {
  const { home, jobs } = context;
  const before = wanted(home, input.site);
  const file: SiteFile = {
    ...before,
    title: input.title?.trim() ?? before.title,
    base_url: input.base_url === undefined ? before.base_url : plainUrl(input.base_url),
    format: input.format ?? before.format,
    currency: input.currency ?? before.currency,
  };
  const elsewhere = file.base_url !== before.base_url || file.format !== before.format;
  if (elsewhere && jobs.running(file.site) !== null) throw contractError(busy(file.site, 'changed'));
  if (file.currency !== before.currency)
    refuseLockedSite(context.stores.open(file.site).books, before.currency);
  writeSite(home, file);
  const { title, base_url, format, currency } = file;
  note(context, 'sites.update', file.site, { title, base_url, format, currency });
  context.changes.tell(null, 'sites');
  return describeSite(context, file);
}

/** Replaces the key once the service has accepted the new one. */
export async function replaceKey(
  context: SitesContext,
  { site, api_key }: Inputs['sites']['replaceKey'],
  signal?: AbortSignal,
): Promise<Site> {
  const file = wanted(context.home, site);
  await testConnection({ site: file, key: async () => api_key, signal });
  await context.shell.keychain.set({ site, api_key });
  note(context, 'sites.replaceKey', site, {});
  context.changes.tell(null, 'sites');
  return describeSite(context, file);
}

/** Forgets the key and moves the site's folder to `removed/`; nothing is deleted. */
export async function removeSite(
  context: SitesContext,
  { site }: Inputs['sites']['remove'],
): Promise<Outputs['sites']['remove']> {
  const { home, shell, stores, locks, jobs, changes } = context;
  const { demo } = wanted(home, site);
  if (jobs.running(site) !== null) throw contractError(busy(site, 'removed'));
  const lock = locks.take(site, 'removing the site');
  if ('held' in lock) throw contractError(lock.held);
  lock.release();
  // A keychain that does not answer says so now, before the books say that the site is removed. The demo’s key was never in it.
  if (!demo) await shell.keychain.hint({ site });
  noteRemoval(context, site);
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
  changes.tell(null, 'sites');
  return { set_aside: join('removed', name) };
}

/** A site as the contract shows it. */
async function describeSite({ shell, stores }: SitesContext, file: SiteFile): Promise<Site> {
  const { key_hint } = await shell.keychain.hint({ site: file.site });
  const synced = partState(stores.open(file.site).cache, 'webhooks')?.synced_at ?? null;
  return {
    ...file,
    has_key: key_hint !== null,
    key_hint,
    last_synced_at: synced === null ? null : new Date(synced).toISOString(),
  };
}

/** Writes into the site’s audit log what was done with the site; never a key. */
function note(
  { stores, changes, user, now }: SitesContext,
  action: string,
  site: string,
  detail: Record<string, unknown>,
): void {
  const { books } = stores.open(site);
  commit(books, () => addAudit(books, { at: now(), who: user, action, subject: site, detail }));
  changes.tell(site, 'audit');
}

/** A site whose books are damaged can be removed all the same, though nothing can be written into them. */
function noteRemoval(context: SitesContext, site: string): void {
  try {
    note(context, 'sites.remove', site, {});
  } catch (error) {
    if (errorOf(error).code !== 'corrupt') throw error;
  }
}

function wanted(home: string, site: string): SiteFile {
  const file = readSite(home, site);
  if (file === null) throw contractError(noSuchSite(site));
  return file;
}

/** The address without what does not belong; throws `validation` where it cannot be one. */
function plainUrl(text: string): string {
  const { origin, prefix } = parseBaseUrl(text);
  return origin + prefix;
}

function noKey(site: string) {
  return {
    code: 'auth' as const,
    message: `There is no API key for ${site}.`,
    hint: 'Give the key of this site; it is kept in the keychain.',
    retryable: false,
  };
}

function busy(site: string, what: string) {
  return {
    code: 'conflict' as const,
    message: `A job is running on ${site}, so it is not ${what} now.`,
    hint: 'Wait until it is done, or cancel it.',
    retryable: true,
  };
}
