import {
  type BillingClient,
  BillingError,
  createBillingClient,
  type PacingOptions,
  type RequestEvent,
} from '../../billing/index.ts';
import type { ShellClient } from '../start.ts';
import { steadyClock } from './clock.ts';
import type { SiteFile } from './site-file.ts';
import type { OpenSite } from './stores.ts';

/** What a connection to a site's service is made of. */
export interface ConnectionOptions {
  site: Pick<SiteFile, 'base_url' | 'format'>;
  /** Asked before each request; null where there is none. */
  key: () => Promise<string | null>;
  signal?: AbortSignal | undefined;
  pacing?: PacingOptions | undefined;
  onRequest?: ((event: RequestEvent) => void) | undefined;
  now?: (() => number) | undefined;
}

/** A client of a site's service. Throws `validation` where the address cannot be one. */
export function connectTo({ site, key, ...options }: ConnectionOptions): BillingClient {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return createBillingClient({
    baseUrl: site.base_url,
    format: site.format,
    key: async () => (await key()) ?? '',
    ...Object.fromEntries(given),
  });
}

/** A client of a site that is kept, with its key from the keychain. Its clock is the site's own, which never goes back. */
export function connectSite(
  { shell, pacing, now }: { shell: ShellClient; pacing?: PacingOptions | undefined; now: () => number },
  { file, cache }: OpenSite,
  options: Pick<ConnectionOptions, 'signal' | 'onRequest'> = {},
): BillingClient {
  const key = async () => (await shell.keychain.get({ site: file.site })).api_key;
  return connectTo({ site: file, key, pacing, now: steadyClock(cache, now), ...options });
}

export interface ConnectionTest {
  /** Round trip of one small read, in ms. */
  ms: number;
  /** What was read, in a sentence. */
  message: string;
  /** The offset of the service's times, as `-05:00`. */
  utc_offset: string | null;
}

/**
 * One small read, to find out whether there is a billing service that takes this key. Throws BillingError with a sentence
 * that says what is wrong; nothing is changed anywhere.
 */
export async function testConnection(options: Omit<ConnectionOptions, 'pacing'>): Promise<ConnectionTest> {
  const client = connectTo({ ...options, pacing: { max: 1 } });
  const once = { tries: 1 };
  try {
    const begun = performance.now();
    const { items } = await client.listWebhooks({ page: 1, per_page: 1, order: 'newest_first' }, once);
    const ms = performance.now() - begun;
    const newest = items[0];
    if (newest === undefined) {
      // Any server may answer with an empty list; only the service has this one.
      const ids = await client.listStatementIds({ page: 1 }, once);
      return { ms, message: `The service answered; ${counted(ids.items.length)}.`, utc_offset: null };
    }
    const created = newest.created_at ?? '';
    const offset = /([+-]\d{2}:?\d{2})$/.exec(created)?.[1] ?? (created.endsWith('Z') ? '+00:00' : null);
    return {
      ms,
      message: `The service answered; its newest webhook is ${newest.event} of ${created || 'no date'}.`,
      utc_offset: offset,
    };
  } catch (error) {
    throw asTest(error, options.site.base_url);
  } finally {
    await client.close();
  }
}

function counted(statements: number): string {
  return statements === 0 ? 'the site has no webhooks and no statements yet' : 'the site has no webhooks yet';
}

/** What only a test can say: an address that does not know the webhook log is no site's. */
function asTest(error: unknown, baseUrl: string): unknown {
  if (!(error instanceof BillingError) || error.code !== 'not_found') return error;
  return new BillingError(
    'not_found',
    `At ${URL.parse(baseUrl)?.host ?? baseUrl} there is no billing service (status 404).`,
    {
      hint: 'Check the site’s address: it must be the one of the billing service, without further path.',
      detail: error.detail,
      ...(error.status === undefined ? {} : { status: error.status }),
    },
  );
}
