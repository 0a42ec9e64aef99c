import { BillingError } from '../../billing/index.ts';
import { type ConnectionOptions, createBillingConnection } from '../sites/connection.ts';

export interface ConnectionTest {
  /** Round-trip time of one small read in milliseconds. */
  ms: number;
  /** Sentence about what was read. */
  message: string;
  /** UTC offset of the service's times, for example `-05:00`. */
  utc_offset: string | null;
}

/**
 * Makes one small read to test whether there is a billing service that accepts the key. Changes nothing. Throws
 * BillingError with a sentence about what is wrong.
 */
export async function testConnection(options: Omit<ConnectionOptions, 'pacing'>): Promise<ConnectionTest> {
  const client = createBillingConnection({ ...options, pacing: { maxConcurrent: 1 } });
  const once = { maxAttempts: 1 };
  try {
    const begun = performance.now();
    const { items } = await client.listWebhooks({ page: 1, per_page: 1, order: 'newest_first' }, once);
    const ms = performance.now() - begun;
    const newest = items[0];
    if (newest === undefined) {
      // Any server may answer with an empty list. Only the billing service has this one.
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

/** Converts errors that have a special meaning in a test: an address without a webhook log is no site's. */
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
