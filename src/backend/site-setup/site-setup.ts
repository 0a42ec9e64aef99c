import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { BillingError, parseBaseUrl } from '../../billing/index.ts';
import {
  type ContractInputs,
  type ContractOutputs,
  createContractError,
  createNonRetryableError,
  type Site,
  toContractError,
} from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { assertSiteHasNoClosedPeriods } from '../period-lock/period-lock.ts';
import { flushFolderToDisk } from '../shared/durable-file.ts';
import { createBillingConnection } from '../sites/billing-connection.ts';
import {
  createUnknownSiteError,
  deriveSiteName,
  getSiteFolder,
  readSite,
  readSites,
  type SiteFile,
  writeSite,
} from '../sites/site-file.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { findOldestSyncTime } from '../store/sync/oldest-sync-time.ts';
import { findServiceTimeZone } from '../store/sync/service-time-zone.ts';
import { testConnection } from './connection-test.ts';
import { listPossibleAddresses } from './service-details.ts';

/** Currency of a site if neither the user nor the service specifies one. */
const DEFAULT_CURRENCY = 'USD';

export type SiteSetupContext = Omit<CommandContext, 'version' | 'pacing' | 'unexpected'>;

/** Adds a site and saves its key in the keychain, or in memory if allowed. Saves neither unless the service responds. */
export async function addSite(
  context: SiteSetupContext,
  input: ContractInputs['sites']['add'] & { format?: SiteFile['format'] },
  signal?: AbortSignal,
): Promise<Site> {
  const { home, shell } = context;
  const taken = new Set(readSites(home).map((each) => each.site));
  const site = input.site ?? deriveSiteName(input.title, taken);
  if (taken.has(site) || existsSync(getSiteFolder(home, site))) {
    throw createNonRetryableError(
      'conflict',
      `A site named ${site} already exists.`,
      'Choose another name, or edit that site.',
    );
  }
  const format = input.format ?? 'json';
  const demo = input.demo ?? false;
  for (const address of listPossibleAddresses(input.base_url))
    requireUnusedAddress(home, { site, base_url: normalizeUrl(address), demo });
  const key = input.api_key ?? (await shell.keychain.get({ site })).api_key;
  if (key === null) throw missingKeyError(site);
  const tested = await testConnection({
    site: { base_url: input.base_url, format },
    key: async () => key,
    signal,
  });
  const { service_details } = tested;
  const file: SiteFile = {
    site,
    title: input.title.trim(),
    base_url: normalizeUrl(tested.base_url),
    format,
    currency: input.currency ?? service_details.currencies[0] ?? DEFAULT_CURRENCY,
    service_details,
    demo,
    created_at: new Date().toISOString(),
  };

  const { api_key, allow_session_key } = input;
  if (api_key !== undefined) await shell.keychain.set({ site, api_key, allow_session_key });
  try {
    writeSite(home, file);
    const { title, base_url, currency } = file;
    addSiteAudit(context, 'sites.add', site, { title, base_url, format, currency, demo, service_details });
    context.stores.saveAuditAnchor(site);
  } catch (error) {
    if (api_key !== undefined) await shell.keychain.forget({ site });
    throw error;
  }
  context.changes.emit(null, 'sites');
  return describeSite(context, file);
}

/**
 * Returns true if the service does not have the requested address. Older services respond to a later address with an
 * error status, a web page or unreadable data.
 */
export const isUnknownAddress = (error: unknown): boolean =>
  error instanceof BillingError &&
  (error.code === 'not_found' || error.code === 'service') &&
  error.detail['reason'] !== 'refused';

/** Reads the state of a saved site's webhook endpoints. Returns null if the service does not list them. */
export async function readWebhookEndpoints(
  { home, shell }: SiteSetupContext,
  site: string,
  signal?: AbortSignal,
): Promise<ContractOutputs['sites']['endpoints']> {
  const file = requireSite(home, site);
  const key = async () => (await shell.keychain.get({ site })).api_key;
  const client = createBillingConnection({ site: file, key, signal });
  try {
    const { items } = await client.listWebhookEndpoints({ maxAttempts: 1 });
    return { endpoints: items.map(({ id, url, status }) => ({ id, url, status })) };
  } catch (error) {
    if (isUnknownAddress(error)) return { endpoints: null };
    throw error;
  } finally {
    await client.close();
  }
}

/** Tests the connection to a saved or new site. Throws `not_found`, `auth` without a key, and the service's errors. */
export async function testSite(
  { home, shell }: SiteSetupContext,
  input: ContractInputs['sites']['test'],
  signal?: AbortSignal,
): Promise<ContractOutputs['sites']['test']> {
  if ('site' in input) {
    const site = requireSite(home, input.site);
    const { api_key } = await shell.keychain.get({ site: site.site });
    if (api_key === null) throw missingKeyError(site.site);
    return { ok: true, ...(await testConnection({ site, key: async () => api_key, signal })) };
  }
  const { api_key } = input;
  return { ok: true, ...(await testConnection({ site: input, key: async () => api_key, signal })) };
}

/** Changes a site's data without testing a new address. Throws `period_locked` for a new currency after a closing. */
export async function updateSite(
  context: SiteSetupContext,
  input: ContractInputs['sites']['update'],
): Promise<Site> {
  const { home, jobs } = context;
  const before = requireSite(home, input.site);
  const file: SiteFile = {
    ...before,
    title: input.title?.trim() ?? before.title,
    base_url: input.base_url === undefined ? before.base_url : normalizeUrl(input.base_url),
    format: input.format ?? before.format,
    currency: input.currency ?? before.currency,
  };
  if (file.base_url !== before.base_url) file.service_details = null;
  requireUnusedAddress(home, file);
  const hasConnectionChanged = file.base_url !== before.base_url || file.format !== before.format;
  if (hasConnectionChanged && jobs.findRunning(file.site) !== null)
    throw createContractError(jobRunningError(file.site, 'changed'));
  if (file.currency !== before.currency)
    assertSiteHasNoClosedPeriods(context.stores.open(file.site).books, before.currency);
  writeSite(home, file);
  const { title, base_url, format, currency } = file;
  addSiteAudit(context, 'sites.update', file.site, { title, base_url, format, currency });
  context.changes.emit(null, 'sites');
  return describeSite(context, file);
}

/** Replaces the API key after the service has accepted the new key. */
export async function replaceApiKey(
  context: SiteSetupContext,
  { site, api_key, allow_session_key }: ContractInputs['sites']['replaceKey'],
  signal?: AbortSignal,
): Promise<Site> {
  const file = requireSite(context.home, site);
  const { service_details } = await testConnection({ site: file, key: async () => api_key, signal });
  await context.shell.keychain.set({ site, api_key, allow_session_key });
  writeSite(context.home, { ...file, service_details });
  addSiteAudit(context, 'sites.replaceKey', site, {});
  context.changes.emit(null, 'sites');
  return describeSite(context, { ...file, service_details });
}

/** Removes a site: deletes its API key and its shared key, and moves its folder to `removed/`. No other data is deleted. */
export async function removeSite(
  context: SiteSetupContext,
  { site }: ContractInputs['sites']['remove'],
): Promise<ContractOutputs['sites']['remove']> {
  const { home, shell, stores, locks, jobs, changes } = context;
  const { demo } = requireSite(home, site);
  if (jobs.findRunning(site) !== null) throw createContractError(jobRunningError(site, 'removed'));
  const lock = locks.acquire(site, 'removing the site');
  if ('conflict' in lock) throw createContractError(lock.conflict);
  lock.release();
  // Throws a keychain failure before the books record the removal. The demo's key was never in the keychain.
  const { is_session_key } = demo ? { is_session_key: false } : await shell.keychain.hint({ site });
  auditRemoval(context, site);
  stores.close(site);
  const removed = join(home, 'removed');
  mkdirSync(removed, { recursive: true, mode: 0o700 });
  const name = `${site}-${new Date().toISOString().replace(/[-:.]/g, '')}`;
  renameSync(getSiteFolder(home, site), join(removed, name));
  try {
    await shell.keychain.forget({ site });
    await shell.sharedKeys.forget({ site });
  } catch (error) {
    // Without a keychain, nothing is stored in it.
    if (!demo && !is_session_key) {
      renameSync(join(removed, name), getSiteFolder(home, site));
      throw error;
    }
  }
  flushFolderToDisk(removed);
  changes.emit(null, 'sites');
  return { set_aside: join('removed', name) };
}

async function describeSite({ shell, stores }: SiteSetupContext, file: SiteFile): Promise<Site> {
  const key = await shell.keychain.hint({ site: file.site });
  const { cache } = stores.open(file.site);
  return {
    ...file,
    has_key: key.key_hint !== null,
    ...key,
    last_synced_at: findOldestSyncTime(cache, file),
    time_zone: findServiceTimeZone(cache),
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
  runInTransaction(books, () => addAuditEntry(books, { at: now(), user, action, subject: site, detail }));
  changes.emit(site, 'audit');
}

/** Adds the removal to the audit log if possible. A site with damaged books can be removed without an audit entry. */
function auditRemoval(context: SiteSetupContext, site: string): void {
  try {
    addSiteAudit(context, 'sites.remove', site, {});
  } catch (error) {
    if (toContractError(error).code !== 'corrupt') throw error;
  }
}

function requireSite(home: string, site: string): SiteFile {
  const file = readSite(home, site);
  if (file === null) throw createContractError(createUnknownSiteError(site));
  return file;
}

/** Normalizes an address. Throws `validation` if it is invalid. */
function normalizeUrl(text: string): string {
  const { origin, prefix } = parseBaseUrl(text);
  return origin + prefix;
}

/** Throws `conflict` if another site has the same address, because every record would be stored and reported twice. */
function requireUnusedAddress(
  home: string,
  { site, base_url, demo }: Pick<SiteFile, 'site' | 'base_url' | 'demo'>,
): void {
  const other = readSites(home).find((each) => each.base_url === base_url && each.site !== site && !demo);
  if (other === undefined) return;
  throw createNonRetryableError(
    'conflict',
    `The site ${other.site} already has the address ${base_url}.`,
    'Use that site, or remove it first. Removing a site deletes none of its data.',
  );
}

function missingKeyError(site: string) {
  const hint = 'Enter the site’s API key. It is stored in the keychain.';
  return createNonRetryableError('auth', `No API key is stored for ${site}.`, hint);
}

function jobRunningError(site: string, what: string) {
  return {
    code: 'conflict' as const,
    message: `The site ${site} cannot be ${what} while a job is running.`,
    hint: 'Wait until it has finished, or cancel it.',
    retryable: true,
  };
}
