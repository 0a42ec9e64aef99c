import { BillingError } from '../../billing/index.ts';
import { type BillingConnectionOptions, createBillingConnection } from '../sites/billing-connection.ts';

export interface ConnectionTest {
  /** Round-trip time of one small request in milliseconds. */
  ms: number;
  /** Sentence that describes the data read by the test. */
  message: string;
  /** UTC offset of the service's timestamps, for example `-05:00`. */
  utc_offset: string | null;
}

/** Sends one small read request to test the address and the key. Throws a BillingError that says what is wrong. */
export async function testConnection(
  options: Omit<BillingConnectionOptions, 'pacing'>,
): Promise<ConnectionTest> {
  const client = createBillingConnection({ ...options, pacing: { maxConcurrent: 1 } });
  const singleAttempt = { maxAttempts: 1 };
  try {
    const startedAt = performance.now();
    const { items } = await client.listWebhooks(
      { page: 1, per_page: 1, order: 'newest_first' },
      singleAttempt,
    );
    const ms = performance.now() - startedAt;
    const newest = items[0];
    if (newest === undefined) {
      // Any server may answer the first request with an empty list. Only the billing service has a list of statement ids.
      const ids = await client.listStatementIds({ page: 1 }, singleAttempt);
      return {
        ms,
        message: `The service answered. ${describeEmptySite(ids.items.length)}`,
        utc_offset: null,
      };
    }
    const created = newest.created_at ?? '';
    const offset = /([+-]\d{2}:?\d{2})$/.exec(created)?.[1] ?? (created.endsWith('Z') ? '+00:00' : null);
    return {
      ms,
      message: `The service answered. Its newest webhook is ${newest.event}, created ${created || 'at an unknown time'}.`,
      utc_offset: offset,
    };
  } catch (error) {
    throw toConnectionTestError(error, options.site.base_url);
  } finally {
    await client.close();
  }
}

function describeEmptySite(statements: number): string {
  return statements === 0
    ? 'The site has no webhooks and no statements yet.'
    : 'The site has no webhooks yet.';
}

/** Converts `not_found` to an error with advice: an address without a webhook log is not a billing service. */
function toConnectionTestError(error: unknown, baseUrl: string): unknown {
  if (!(error instanceof BillingError) || error.code !== 'not_found') return error;
  return new BillingError(
    'not_found',
    `At ${URL.parse(baseUrl)?.host ?? baseUrl} there is no billing service (status 404).`,
    {
      hint: 'Check the site’s address. It must be the billing service’s address without a path.',
      detail: error.detail,
      ...(error.status === undefined ? {} : { status: error.status }),
    },
  );
}
