import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Who may talk to the browser host. Other programs, other users and every page the browser has open can reach a loopback port; a page
 * under a name that was rebound to 127.0.0.1 even believes to be at home. So each request is judged before anything looks at its path.
 */
export interface Asked {
  readonly method?: string | undefined;
  /** Header names and values in turn, as they came, so that a doubled one is seen. */
  readonly rawHeaders: readonly string[];
}

export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly status: number; readonly reason: string };

const OK: Verdict = { ok: true };
const refused = (status: number, reason: string): Verdict => ({ ok: false, status, reason });

/** The one subprotocol the host answers with; the page offers it together with its token. */
export const SUBPROTOCOL = 'tieout';

/** Judges any request: its method, that it names this very host, and that no foreign page sent it. */
export function judgeRequest(asked: Asked, port: number): Verdict {
  const hosts = valuesOf(asked, 'host');
  // Exact strings: a test on a prefix or a parsed address has been talked into more than it meant.
  if (hosts.length !== 1 || !hostsOf(port).includes(hosts[0] ?? '')) return refused(403, 'host');
  const sites = valuesOf(asked, 'sec-fetch-site');
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) return refused(403, 'site');
  if (valuesOf(asked, 'origin').some((origin) => origin !== `http://${hosts[0]}`))
    return refused(403, 'origin');
  if (asked.method !== 'GET') return refused(405, 'method');
  return OK;
}

/** Judges a WebSocket upgrade: all of `judgeRequest`, our own page as its origin, and the token among its subprotocols. */
export function judgeUpgrade(asked: Asked, port: number, isToken: (given: string) => boolean): Verdict {
  const verdict = judgeRequest(asked, port);
  if (!verdict.ok) return verdict;
  // Any browser names the origin of an upgrade; what names none is no page of ours.
  if (valuesOf(asked, 'origin').length !== 1) return refused(403, 'origin');
  const offered = valuesOf(asked, 'sec-websocket-protocol').flatMap((value) =>
    value.split(',').map((one) => one.trim()),
  );
  if (!offered.includes(SUBPROTOCOL) || !offered.some(isToken)) return refused(401, 'token');
  return OK;
}

/** The token a request carries as `Authorization: Bearer …`; empty where it carries none. */
export function bearerOf(asked: Asked): string {
  const values = valuesOf(asked, 'authorization');
  return (values.length === 1 && /^Bearer ([\w-]+)$/.exec(values[0] ?? '')?.[1]) || '';
}

/** Whether a secret is the one with this digest, in a time that tells nothing of how much of it was right. */
export function isSecret(given: string, digest: Buffer): boolean {
  return timingSafeEqual(digestOf(given), digest);
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The names a browser may know this host by. */
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
