import { type BillingClient, BillingError, type SiteRecord } from '../../billing/index.ts';
import type { ServiceDetails } from '../../domain/labels/service-details.ts';

/**
 * Requests the site's kind from the service. Older services do not have this address, so any failed response leaves the
 * properties unknown. Throws only if the request is canceled.
 */
export async function readServiceDetails(client: BillingClient, baseUrl: string): Promise<ServiceDetails> {
  try {
    const { item } = await client.readSite({ maxAttempts: 1 });
    return toServiceDetails(item, baseUrl);
  } catch (error) {
    if (!(error instanceof BillingError) || error.code === 'canceled') throw error;
    return toServiceDetails(null, baseUrl);
  }
}

function toServiceDetails(record: SiteRecord | null, baseUrl: string): ServiceDetails {
  const usesInvoices = record?.relationship_invoicing_enabled ?? null;
  const currencies = [record?.currency, ...(record?.non_primary_currencies ?? [])]
    .map((code) => code?.trim().toUpperCase() ?? '')
    .filter((code) => /^[A-Z]{3}$/.test(code));
  return {
    bills_by: usesInvoices === null ? null : usesInvoices ? 'invoices' : 'statements',
    currencies: [...new Set(currencies)],
    is_test: record?.test ?? null,
    region: findRegion(baseUrl),
  };
}

/** Host names of the service's regions. A site exists in only one of them. */
const regionDomains = { us: 'chargify.com', eu: 'ebilling.maxio.com' } as const;

function findRegion(baseUrl: string): ServiceDetails['region'] {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  if (host.endsWith(`.${regionDomains.us}`)) return 'us';
  return host.endsWith(`.${regionDomains.eu}`) ? 'eu' : null;
}

/**
 * Returns the addresses at which a site may be found, the entered address first. A subdomain alone, for example `acme`,
 * stands for the site's host in each region. A host in one region is followed by the same subdomain in the other
 * region.
 */
export function listPossibleAddresses(text: string): string[] {
  const entered = text.trim();
  const { us, eu } = regionDomains;
  if (/^[a-z0-9][a-z0-9-]{0,62}$/i.test(entered) && entered.toLowerCase() !== 'localhost') {
    const subdomain = entered.toLowerCase();
    return [`https://${subdomain}.${us}`, `https://${subdomain}.${eu}`];
  }
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(entered) ? entered : `https://${entered}`);
  const region = findRegion(url?.href ?? '');
  if (url === null || region === null) return [entered];
  const [own, other] = region === 'us' ? [us, eu] : [eu, us];
  const sister = `https://${url.hostname.slice(0, -own.length)}${other}`;
  return [`https://${url.hostname}`, sister];
}
