/** Details of a site from the service. Null means unknown, because older versions of the service report no details. */
export interface ServiceDetails {
  readonly bills_by: 'statements' | 'invoices' | null;
  /** Currencies as ISO 4217 codes, the primary one first. Empty if unknown. */
  readonly currencies: string[];
  readonly is_test: boolean | null;
  readonly region: 'us' | 'eu' | null;
}

/** Labels of the regions in which the service hosts sites. */
const regionLabels = { us: 'US (chargify.com)', eu: 'EU (ebilling.maxio.com)' } as const;

/** Returns a sentence about each known property of a site. Empty if nothing is known. */
export function describeServiceDetails(details: ServiceDetails): string[] {
  const { bills_by, currencies, is_test, region } = details;
  const basis = bills_by === 'invoices' ? INVOICE_SITE_TEXT : 'The site bills by statements.';
  return [
    bills_by === null ? '' : basis,
    currencies.length === 0 ? '' : `Currency: ${currencies.join(', ')}.`,
    is_test === null ? '' : is_test ? 'It is a test site: no real money moves.' : 'It is a live site.',
    region === null ? '' : `Region: ${regionLabels[region]}.`,
  ].filter((sentence) => sentence !== '');
}

/** Explains which parts of Tieout stay empty for a site that bills by invoices. */
export const INVOICE_SITE_TEXT =
  'The site bills by invoices (relationship invoicing), so the service has no statements for it. Webhooks, outages, replays, subscriptions and allocations work. Statements, checks, bank matching and periods stay empty.';

/** Describes a webhook endpoint, for example `https://acme.example/hooks: paused`. */
export function describeEndpoint({ url, status }: { url: string | null; status: string | null }): string {
  return `${url ?? 'Address unknown'}: ${status ?? 'status unknown'}`;
}

/** Returns true if the service sends no webhooks to an endpoint with this status. Unknown statuses count as active. */
export function isEndpointStopped(status: string | null): boolean {
  return status !== null && /^(paused|disabled|inactive)/i.test(status);
}
