import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Access control of the browser host. Other programs, other users and every web page in the browser can reach a loopback
 * port, and a page with a rebound host name even appears to be same-origin. Each request is therefore checked before its
 * path is read.
 */
export interface Asked {
  readonly method?: string | undefined;
  /** Header names and values alternating, as received, so that repeated headers are detected. */
  readonly rawHeaders: readonly string[];
}

export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly status: number; readonly reason: string };

const OK: Verdict = { ok: true };
const refused = (status: number, reason: string): Verdict => ({ ok: false, status, reason });

/** The only subprotocol that the host answers with. The page offers it together with its token. */
export const SUBPROTOCOL = 'tieout';

/** Checks a request: its method, that it names exactly this host, and that no other page sent it. */
export function judgeRequest(asked: Asked, port: number): Verdict {
  const hosts = valuesOf(asked, 'host');
  // Compared exactly. Tests of prefixes or parsed addresses have been bypassed in other projects.
  if (hosts.length !== 1 || !hostsOf(port).includes(hosts[0] ?? '')) return refused(403, 'host');
  const sites = valuesOf(asked, 'sec-fetch-site');
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) return refused(403, 'site');
  if (valuesOf(asked, 'origin').some((origin) => origin !== `http://${hosts[0]}`))
    return refused(403, 'origin');
  if (asked.method !== 'GET') return refused(405, 'method');
  return OK;
}

/**
 * Checks a WebSocket upgrade: everything in `judgeRequest`, our own page as the origin, and the token among its
 * subprotocols.
 */
export function judgeUpgrade(asked: Asked, port: number, isToken: (given: string) => boolean): Verdict {
  const verdict = judgeRequest(asked, port);
  if (!verdict.ok) return verdict;
  // Every browser sends the origin of an upgrade, so a request without one is not from our page.
  if (valuesOf(asked, 'origin').length !== 1) return refused(403, 'origin');
  const offered = valuesOf(asked, 'sec-websocket-protocol').flatMap((value) =>
    value.split(',').map((one) => one.trim()),
  );
  if (!offered.includes(SUBPROTOCOL) || !offered.some(isToken)) return refused(401, 'token');
  return OK;
}

/** Returns the token of `Authorization: Bearer …`, or an empty text. */
export function bearerOf(asked: Asked): string {
  const values = valuesOf(asked, 'authorization');
  return (values.length === 1 && /^Bearer ([\w-]+)$/.exec(values[0] ?? '')?.[1]) || '';
}

/** Compares a secret with a digest in constant time. */
export function isSecret(given: string, digest: Buffer): boolean {
  return timingSafeEqual(digestOf(given), digest);
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Returns the host names by which a browser may address this host. */
export function hostsOf(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

export function valuesOf({ rawHeaders }: Pick<Asked, 'rawHeaders'>, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}
