import { Client, Pool } from 'undici';
import type { Address } from './address.ts';
import { dispatch, type Head } from './arrival.ts';
import { BillingError, cancelled } from './errors.ts';
import { type Attempted, networkError } from './network-errors.ts';

/** ms; `headers` is above the 120 s at which the service cuts a request, `body` is the longest silence inside one. */
export interface Timeouts {
  connect: number;
  headers: number;
  body: number;
  /** The whole exchange, to its last byte. */
  total: number;
}

export interface Outgoing extends Attempted {
  method: 'GET' | 'POST';
  /** From the first `/`, query included. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

export type Headers = Readonly<Record<string, string | undefined>>;

/** An answer of which the headers are there. */
export interface Incoming {
  status: number;
  headers: Headers;
  /** Until its first byte, ms. */
  ms: number;
  /** The next bytes of the body, of at most `cap` in all, null behind the last; throws BillingError. The end or `close` frees the connection. */
  next(cap: number): Promise<Uint8Array | null>;
  /** The whole body, at most `cap` bytes. */
  whole(cap: number): Promise<Buffer>;
  close(): void;
}

export interface Transport {
  send(outgoing: Outgoing): Promise<Incoming>;
  close(): Promise<void>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 3;

/** Exchanges with one origin. Nothing else in the app opens a connection to the service. */
export function createTransport(address: Address, connections: number, timeouts: Timeouts): Transport {
  const settings = {
    allowH2: false,
    connect: { timeout: timeouts.connect },
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    keepAliveTimeout: 15_000,
  };
  const reads = new Pool(address.origin, { ...settings, connections, pipelining: 1 });
  // A write gets a connection of its own: a reused one that the service is just closing would leave the outcome unknown.
  const writes = new Client(address.origin, { ...settings, pipelining: 0 });

  async function exchange(outgoing: Outgoing): Promise<Incoming> {
    const { method, path, headers, signal: callers } = outgoing;
    if (callers?.aborted) throw cancelled(outgoing.doing);
    const close = () => arrival.stop(() => cancelled(outgoing.doing, outgoing.write));
    const timer = setTimeout(() => {
      arrival.stop(() => networkError({ code: 'TOTAL_TIMEOUT' }, outgoing));
    }, timeouts.total);
    callers?.addEventListener('abort', close, { once: true });
    const free = () => {
      clearTimeout(timer);
      callers?.removeEventListener('abort', close);
    };
    const failure = (error: unknown) =>
      error instanceof BillingError ? error : networkError(error, outgoing);

    const started = performance.now();
    const request = { method, path, headers, body: outgoing.body ?? null };
    const arrival = dispatch(outgoing.write ? writes : reads, request, free);
    const head = await arrival.head.catch((error: unknown) => {
      throw failure(error);
    });
    const ms = performance.now() - started;

    let bytes = 0;
    async function next(cap: number): Promise<Uint8Array | null> {
      try {
        const chunk = await arrival.next();
        bytes += chunk?.length ?? 0;
        if (bytes > cap) throw tooBig(outgoing, cap);
        return chunk;
      } catch (error) {
        close();
        throw failure(error);
      }
    }

    async function whole(cap: number): Promise<Buffer> {
      const parts: Uint8Array[] = [];
      for (let part = await next(cap); part !== null; part = await next(cap)) parts.push(part);
      return Buffer.concat(parts);
    }

    return { status: head.status, headers: singly(head.headers), ms, next, whole, close };
  }

  async function send(outgoing: Outgoing): Promise<Incoming> {
    let { path } = outgoing;
    for (let redirects = 0; ; redirects++) {
      const incoming = await exchange({ ...outgoing, path });
      const target = REDIRECTS.has(incoming.status) ? incoming.headers['location'] : undefined;
      if (target === undefined) return incoming;
      incoming.close();
      const url = URL.parse(target, address.origin + path);
      if (outgoing.write || url?.origin !== address.origin || redirects === MOST_REDIRECTS) {
        throw moved(outgoing, address, url, incoming.status);
      }
      path = url.pathname + url.search;
    }
  }

  return {
    send,
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

function singly(headers: Head['headers']): Headers {
  const single: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) single[name] = Array.isArray(value) ? value[0] : value;
  return single;
}

function tooBig({ host, doing, write }: Attempted, cap: number): BillingError {
  const size = `${Math.round(cap / 2 ** 20)} MB`;
  return new BillingError('service', `${host} answered with more than ${size} while ${doing}.`, {
    hint: 'Ask for smaller pages; no answer of the billing service is that big.',
    outcome_unknown: write,
    detail: { reason: 'too_big' },
  });
}

/**
 * The new place is told without credentials, query or fragment. A write answered by 301, 302 or 303 may have been done:
 * some servers send on to what they made.
 */
function moved(
  { host, doing, write }: Attempted,
  address: Address,
  url: URL | null,
  status: number,
): BillingError {
  const web = url !== null && url.origin !== 'null';
  const place = web ? url.origin + url.pathname : 'an address that cannot be followed';
  const elsewhere = url?.origin !== address.origin;
  const unknown = write && status <= 303;
  const message = elsewhere
    ? `${host} sends on to ${place}, not its own, while ${doing}. The API key was not sent there.`
    : write
      ? `${host} sends on to ${place} while ${doing}. A write is not sent on.`
      : `${host} keeps sending on (last to ${place}) while ${doing}.`;
  return new BillingError('service', unknown ? `${message} Whether it was done is not known.` : message, {
    hint: elsewhere
      ? 'If you trust that place and the service has moved, change the site’s address to it.'
      : 'Check the site’s address.',
    status,
    outcome_unknown: unknown,
    detail: { reason: 'redirect', location: place },
  });
}
