import {
  type BillingClient,
  createBillingClient,
  type RequestEvent,
  type RequestPacingOptions,
} from '../../billing/index.ts';
import type { ShellClient } from '../shared/backend-start-options.ts';
import { recordServiceRequest } from '../store/sync/service-request.ts';
import { createMonotonicClock } from './monotonic-clock.ts';
import type { OpenSite } from './open-site.ts';
import type { SiteFile } from './site-file.ts';

export interface BillingConnectionOptions {
  site: Pick<SiteFile, 'base_url' | 'format'>;
  /** Returns the API key. Called before each request. Resolves to null if no key is stored. */
  key: () => Promise<string | null>;
  signal?: AbortSignal | undefined;
  pacing?: RequestPacingOptions | undefined;
  onRequest?: ((event: RequestEvent) => void) | undefined;
  now?: (() => number) | undefined;
}

/** Creates a client for a site's billing service. Throws `validation` for an invalid address. */
export function createBillingConnection({ site, key, ...options }: BillingConnectionOptions): BillingClient {
  const definedOptions = Object.entries(options).filter(([, value]) => value !== undefined);
  return createBillingClient({
    baseUrl: site.base_url,
    format: site.format,
    getApiKey: async () => (await key()) ?? '',
    ...Object.fromEntries(definedOptions),
  });
}

/**
 * Creates a client for a saved site. Uses the key from the keychain and a clock that never goes back, and records the
 * requests that deliver statements.
 */
export function createSiteConnection(
  {
    shell,
    pacing,
    now,
  }: { shell: ShellClient; pacing?: RequestPacingOptions | undefined; now: () => number },
  { file, cache }: OpenSite,
  options: Pick<BillingConnectionOptions, 'signal' | 'onRequest'> = {},
): BillingClient {
  const key = async () => (await shell.keychain.get({ site: file.site })).api_key;
  return createBillingConnection({
    site: file,
    key,
    pacing,
    now: createMonotonicClock(cache, now),
    ...options,
    onRequest(event) {
      recordServiceRequest(cache, event);
      options.onRequest?.(event);
    },
  });
}
