import { BillingError } from './errors.ts';

/** Where a site's service is. */
export interface Address {
  /** Scheme, host and port; credentials go nowhere else. */
  readonly origin: string;
  /** What stands before every path of the interface; empty for most sites. */
  readonly prefix: string;
  /** As people call it in messages. */
  readonly host: string;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

function refused(problem: string, hint: string): BillingError {
  return new BillingError('validation', `The site's address ${problem}.`, { hint });
}

/**
 * The address a user gave, checked: https, or http on this machine only; no credentials, query or fragment, which would
 * be sent along or be lost. A trailing slash does not matter. Throws `validation`; the message never repeats credentials.
 */
export function parseBaseUrl(text: string): Address {
  const example = 'Give it as the browser shows it, such as https://acme.example.com';
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw refused('is not a web address', example);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused(`begins with ${url.protocol}//, not https://`, example);
  }
  if (url.username !== '' || url.password !== '') {
    throw refused('holds a user name or password', 'Leave it out; the API key is asked for by itself.');
  }
  if (url.search !== '' || text.includes('?')) throw refused('holds a query (the part from “?” on)', example);
  if (url.hash !== '' || text.includes('#'))
    throw refused('holds a fragment (the part from “#” on)', example);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refused(
      'begins with http://, which would send the API key unencrypted',
      `Use https://${url.host}${url.pathname === '/' ? '' : url.pathname}`,
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ''), host: url.host };
}
