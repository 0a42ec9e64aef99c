import { type BillingClient, BillingError, type Webhook } from '../../billing/index.ts';
import { describeServiceDetails, type ServiceDetails } from '../../domain/labels/service-details.ts';
import { readUtcOffset } from '../../domain/ledger/service-time-zone.ts';
import { type BillingConnectionOptions, createBillingConnection } from '../sites/billing-connection.ts';
import { listPossibleAddresses, readServiceDetails } from './service-details.ts';

export interface ConnectionTest {
  /** Round-trip time of one small request in milliseconds. */
  ms: number;
  /** Sentence about the data that the test read. */
  message: string;
  /** UTC offset of the service's timestamps, for example `-05:00`. */
  utc_offset: string | null;
  /** Address that responded. Differs from the entered address for a subdomain or a site in another region. */
  base_url: string;
  service_details: ServiceDetails;
}

const SINGLE_ATTEMPT = { maxAttempts: 1 };

type ConnectionTestOptions = Omit<BillingConnectionOptions, 'pacing'>;

/**
 * Tests the address and the key with one small read, then requests the site's kind from the service. If no site
 * responds at the address, tests the same subdomain in the service's other region. Throws a BillingError that says what
 * is wrong.
 */
export async function testConnection(options: ConnectionTestOptions): Promise<ConnectionTest> {
  return testAddresses(listPossibleAddresses(options.site.base_url), (base_url) =>
    testAddress({ ...options, site: { ...options.site, base_url } }),
  );
}

/** Returns the result of the first address that responds. Throws the first address's error if none does. */
export async function testAddresses(
  addresses: readonly string[],
  test: (address: string) => Promise<ConnectionTest>,
): Promise<ConnectionTest> {
  const failures: BillingError[] = [];
  for (const address of addresses) {
    try {
      const result = await test(address);
      if (failures.length === 0) return result;
      const note = `The site was not found at ${toHost(addresses[0])}, but at ${toHost(address)}.`;
      return { ...result, message: `${note} ${result.message}` };
    } catch (error) {
      if (!(error instanceof BillingError) || error.code === 'canceled') throw error;
      failures.push(error);
    }
  }
  throw combineFailures(failures);
}

/** Returns the error of the first address, or of the other region if a site exists only there. */
function combineFailures(failures: readonly BillingError[]): unknown {
  const [first, second] = failures;
  if (second === undefined) return first;
  const isFoundOnlyInSecond = isNotASite(first) && !isNotASite(second);
  const [error, other] = isFoundOnlyInSecond ? [second, first] : [first, second];
  return new BillingError(error?.code ?? 'service', error?.message ?? '', {
    hint: `${error?.hint ?? ''} The other region was tried as well: ${other?.message}`.trim(),
    detail: error?.detail ?? {},
    ...(error?.status !== undefined && { status: error.status }),
  });
}

const isNotASite = (error: BillingError | undefined) =>
  error?.code === 'network' || error?.code === 'timeout' || error?.code === 'not_found';

const toHost = (address: string | undefined) => URL.parse(address ?? '')?.host ?? address;

async function testAddress(options: ConnectionTestOptions): Promise<ConnectionTest> {
  const client = createBillingConnection({ ...options, pacing: { maxConcurrent: 1 } });
  const { base_url } = options.site;
  try {
    const startedAt = performance.now();
    const { items } = await client.listWebhooks(
      { page: 1, per_page: 1, order: 'newest_first' },
      SINGLE_ATTEMPT,
    );
    const ms = performance.now() - startedAt;
    const service_details = await readServiceDetails(client, base_url);
    const { message, utc_offset } = items[0]
      ? describeNewestWebhook(items[0])
      : await describeEmptySite(client, service_details);
    const sentences = [message, ...describeServiceDetails(service_details)];
    return { ms, message: sentences.join(' '), utc_offset, base_url, service_details };
  } catch (error) {
    throw toConnectionTestError(error, base_url);
  } finally {
    await client.close();
  }
}

type RecordDescription = Pick<ConnectionTest, 'message' | 'utc_offset'>;

function describeNewestWebhook({ event, created_at }: Webhook): RecordDescription {
  const created = created_at ?? '';
  return {
    message: `The service responded. Its newest webhook is ${event}, created ${created || 'at an unknown time'}.`,
    utc_offset: readUtcOffset(created),
  };
}

async function describeEmptySite(
  client: BillingClient,
  { bills_by }: ServiceDetails,
): Promise<RecordDescription> {
  const message = 'The service responded. The site has no webhooks yet.';
  if (bills_by !== null) return { message, utc_offset: null };
  // Any server may respond with an empty list. Only the billing service has a list of statement ids.
  const { items } = await client.listStatementIds({ page: 1 }, SINGLE_ATTEMPT);
  const nothing = 'The service responded. The site has no webhooks and no statements yet.';
  return { message: items.length === 0 ? nothing : message, utc_offset: null };
}

/** Converts `not_found` to an error with advice: an address without a webhook log is not a billing service. */
function toConnectionTestError(error: unknown, baseUrl: string): unknown {
  if (!(error instanceof BillingError) || error.code !== 'not_found') return error;
  return new BillingError(
    'not_found',
    `${URL.parse(baseUrl)?.host ?? baseUrl} is not the address of a billing service (status 404).`,
    {
      hint: 'Check the site’s address. It must be the billing service’s address without a path.',
      detail: error.detail,
      ...(error.status === undefined ? {} : { status: error.status }),
    },
  );
}
