import {
  type BillingClient,
  createBillingClient,
  type PacingOptions,
  type RequestEvent,
} from '../../billing/index.ts';
import type { ShellClient } from '../shared/start-options.ts';
import type { OpenSite } from './open-site.ts';
import type { SiteFile } from './site-file.ts';
import { createSteadyClock } from './steady-clock.ts';

/** Options for a connection to a site's billing service. */
export interface ConnectionOptions {
  site: Pick<SiteFile, 'base_url' | 'format'>;
  /** Returns the API key. Called before each request. Resolves to null if no key is stored. */
  key: () => Promise<string | null>;
  signal?: AbortSignal | undefined;
  pacing?: PacingOptions | undefined;
  onRequest?: ((event: RequestEvent) => void) | undefined;
  now?: (() => number) | undefined;
}

/** Creates a client for a site's billing service. Throws `validation` for an invalid address. */
export function createBillingConnection({ site, key, ...options }: ConnectionOptions): BillingClient {
  const definedOptions = Object.entries(options).filter(([, value]) => value !== undefined);
  return createBillingClient({
    baseUrl: site.base_url,
    format: site.format,
    getApiKey: async () => (await key()) ?? '',
    ...Object.fromEntries(definedOptions),
  });
}

/** Creates a client for a saved site. Uses the key from the keychain and a clock that never goes back. */
export function createSiteConnection(
  { shell, pacing, now }: { shell: ShellClient; pacing?: PacingOptions | undefined; now: () => number },
  { file, cache }: OpenSite,
  options: Pick<ConnectionOptions, 'signal' | 'onRequest'> = {},
): BillingClient {
  const key = async () => (await shell.keychain.get({ site: file.site })).api_key;
  return createBillingConnection({ site: file, key, pacing, now: createSteadyClock(cache, now), ...options });
}
