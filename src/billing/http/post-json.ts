import type { EndpointAddress } from './endpoint-address.ts';
import { lookupPublicAddress, requirePublicHost } from './public-network.ts';
import { exchangeWithEndpoint } from './webhook-endpoint.ts';

/**
 * Posts a small JSON document to an address of the merchant. Returns the reason for a failure, or null if the address
 * answered with a status from 200 to 299 within `timeoutMs` milliseconds. Redirects are not followed. Throws `validation` if
 * `publicOnly` is true and the address is this computer or in a local network.
 */
export async function postJson(
  { url, host }: EndpointAddress,
  document: object,
  { timeoutMs, publicOnly }: { readonly timeoutMs: number; readonly publicOnly: boolean },
): Promise<string | null> {
  const { origin, hostname, pathname, search } = new URL(url);
  if (publicOnly) await requirePublicHost(hostname);
  const { Pool } = await import('undici');
  const pool = new Pool(origin, {
    allowH2: false,
    connections: 1,
    connect: { timeout: timeoutMs, ...(publicOnly && { lookup: lookupPublicAddress }) },
  });
  const headers = { 'content-type': 'application/json', 'user-agent': 'Tieout' };
  const request = {
    method: 'POST',
    path: pathname + search,
    headers,
    body: JSON.stringify(document),
  } as const;
  try {
    const { status, error } = await exchangeWithEndpoint(pool, request, {
      timeoutMs,
      context: { host, activity: 'posting an alert', isWrite: false },
    });
    return status !== null && status >= 200 && status < 300 ? null : error;
  } finally {
    await pool.destroy();
  }
}
