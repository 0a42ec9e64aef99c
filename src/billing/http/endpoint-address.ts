import { BillingError } from '../errors/billing-error.ts';
import { isLoopback } from './service-address.ts';

/** Address of a merchant's endpoint, to which webhooks are posted. */
export interface EndpointAddress {
  /** Complete address. Its query may contain a secret and the placeholders of signatures. */
  readonly url: string;
  /** Address without its query, as it is compared and shown. */
  readonly address: string;
  /** Host name and port, shown for confirmation. */
  readonly host: string;
}

const EXAMPLE = 'Enter the complete address, for example https://hooks.example.com/billing.';

/** Validates the address of an endpoint: https, or http on this computer, without credentials. Throws `validation`. */
export function parseEndpointAddress(text: string): EndpointAddress {
  const url = URL.parse(text.trim());
  if (url === null) throw invalidEndpointError('is not a valid URL', EXAMPLE);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalidEndpointError(`starts with ${url.protocol}, not https://`, EXAMPLE);
  if (url.username !== '' || url.password !== '')
    throw invalidEndpointError('contains a user name or password', 'Remove it.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw invalidEndpointError(
      'starts with http://, which would send the data unencrypted',
      'Use https://. Only addresses on this computer may use http://.',
    );
  url.hash = '';
  return { url: url.href, address: url.origin + url.pathname, host: url.host };
}

function invalidEndpointError(problem: string, hint: string): BillingError {
  return new BillingError('validation', `The endpoint’s address ${problem}.`, { hint });
}
