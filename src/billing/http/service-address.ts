import { BillingError } from '../errors/billing-error.ts';

/** Address of a site's billing service. */
export interface ServiceAddress {
  /** Scheme, host and port of the service. Credentials are sent only to this origin. */
  readonly origin: string;
  /** Path that precedes every endpoint. It is empty for most sites. */
  readonly prefix: string;
  /** Host name and port, shown in messages. */
  readonly host: string;
}

/** Returns true if a host name means this computer. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

function invalidAddressError(problem: string, hint: string): BillingError {
  return new BillingError('validation', `The site's address ${problem}.`, { hint });
}

/**
 * Validates a service address entered by a user: `https`, or `http` on this computer, without credentials, query or
 * fragment. A trailing slash is ignored. Throws `validation` with a message that never repeats credentials.
 */
export function parseBaseUrl(text: string): ServiceAddress {
  const example = 'Enter it as the browser shows it, for example https://acme.example.com.';
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw invalidAddressError('is not a valid URL', example);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalidAddressError(`starts with ${url.protocol}//, not https://`, example);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidAddressError('contains a user name or password', 'Remove it. Enter the API key separately.');
  }
  if (url.search !== '' || text.includes('?'))
    throw invalidAddressError('contains a query (the part after “?”)', example);
  if (url.hash !== '' || text.includes('#'))
    throw invalidAddressError('contains a fragment (the part after “#”)', example);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalidAddressError(
      'starts with http://, which would send the API key unencrypted',
      `Use https://${url.host}${url.pathname === '/' ? '' : url.pathname}.`,
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ''), host: url.host };
}
