import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Request properties that the browser host's access control checks before it reads the path. Other programs, other
 * users and every web page in the browser can reach a loopback port. A page with a rebound host name even appears to be
 * same-origin.
 */
export interface RequestHead {
  readonly method?: string | undefined;
  /** Header names and values, alternating, as received, so that repeated headers are detected. */
  readonly rawHeaders: readonly string[];
}

export type AccessDecision =
  | { readonly ok: true }
  | { readonly ok: false; readonly status: number; readonly reason: string };

const ACCESS_GRANTED: AccessDecision = { ok: true };
const refuseAccess = (status: number, reason: string): AccessDecision => ({ ok: false, status, reason });

/** The only WebSocket subprotocol that the host selects. The page offers it together with its token. */
export const WEBSOCKET_SUBPROTOCOL = 'tieout';

/** Checks the access of a request: its method, its exact host name, and that no other page sent it. */
export function checkRequestAccess(request: RequestHead, port: number): AccessDecision {
  const hosts = getHeaderValues(request, 'host');
  // Compares host names exactly. In other projects, checks of prefixes or of parsed addresses have been bypassed.
  if (hosts.length !== 1 || !listHostNames(port).includes(hosts[0] ?? '')) return refuseAccess(403, 'host');
  const sites = getHeaderValues(request, 'sec-fetch-site');
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) return refuseAccess(403, 'site');
  if (getHeaderValues(request, 'origin').some((origin) => origin !== `http://${hosts[0]}`))
    return refuseAccess(403, 'origin');
  if (request.method !== 'GET') return refuseAccess(405, 'method');
  return ACCESS_GRANTED;
}

/**
 * Applies the checks of every request to a WebSocket upgrade. Also checks that the app's page sent the upgrade with a
 * valid token.
 */
export function checkUpgradeAccess(
  request: RequestHead,
  port: number,
  isToken: (given: string) => boolean,
): AccessDecision {
  const verdict = checkRequestAccess(request, port);
  if (!verdict.ok) return verdict;
  // Every browser sends an Origin header with an upgrade, so an upgrade without one is not from the app's page.
  if (getHeaderValues(request, 'origin').length !== 1) return refuseAccess(403, 'origin');
  const offered = getHeaderValues(request, 'sec-websocket-protocol').flatMap((value) =>
    value.split(',').map((one) => one.trim()),
  );
  if (!offered.includes(WEBSOCKET_SUBPROTOCOL) || !offered.some(isToken)) return refuseAccess(401, 'token');
  return ACCESS_GRANTED;
}

/** Returns the token of `Authorization: Bearer …`, or an empty string. */
export function getBearerToken(request: RequestHead): string {
  const values = getHeaderValues(request, 'authorization');
  return (values.length === 1 && /^Bearer ([\w-]+)$/.exec(values[0] ?? '')?.[1]) || '';
}

/** Returns true if the digest of a given secret equals `digest`, compared in constant time. */
export function matchesDigest(given: string, digest: Buffer): boolean {
  return timingSafeEqual(hashSecret(given), digest);
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Returns the host names by which a browser may address this host. */
export function listHostNames(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

export function getHeaderValues({ rawHeaders }: Pick<RequestHead, 'rawHeaders'>, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}
