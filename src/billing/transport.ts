import { Client, type Dispatcher, Pool } from 'undici';
import type { Address } from './address.ts';
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
  /** The body's bytes as they come, at most `cap`; throws BillingError. Reading to the end, breaking off or `close` frees the connection. */
  chunks(cap: number): AsyncGenerator<Uint8Array, void, undefined>;
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
    const deadline = new AbortController();
    const { signal: callers } = outgoing;
    const stop = () => deadline.abort(cancelled(`${outgoing.doing}`, outgoing.write));
    const timer = setTimeout(() => {
      deadline.abort(networkError({ code: 'TOTAL_TIMEOUT' }, outgoing));
    }, timeouts.total);
    callers?.addEventListener('abort', stop, { once: true });
    const free = () => {
      clearTimeout(timer);
      callers?.removeEventListener('abort', stop);
    };
    const failure = (error: unknown): BillingError => {
      free();
      const { reason } = deadline.signal;
      if (reason instanceof BillingError) return reason;
      return error instanceof BillingError ? error : networkError(error, outgoing);
    };

    const started = performance.now();
    let reply: Dispatcher.ResponseData;
    try {
      if (callers?.aborted) throw cancelled(outgoing.doing);
      reply = await (outgoing.write ? writes : reads).request({
        method: outgoing.method,
        path: outgoing.path,
        headers: outgoing.headers,
        body: outgoing.body ?? null,
        signal: deadline.signal,
      });
    } catch (error) {
      throw failure(error);
    }
    const { body } = reply;
    // An error event that comes when nobody reads any more must not end the program.
    body.on('error', () => {});
    const close = () => {
      free();
      body.destroy();
    };

    async function* chunks(cap: number): AsyncGenerator<Uint8Array, void, undefined> {
      let bytes = 0;
      try {
        for await (const chunk of body) {
          bytes += (chunk as Uint8Array).length;
          if (bytes > cap) throw tooBig(outgoing, cap);
          yield chunk as Uint8Array;
        }
      } catch (error) {
        throw failure(error);
      } finally {
        free();
      }
    }

    async function whole(cap: number): Promise<Buffer> {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks(cap)) parts.push(chunk);
      return Buffer.concat(parts);
    }

    const ms = performance.now() - started;
    return { status: reply.statusCode, headers: singly(reply.headers), ms, chunks, whole, close };
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

function singly(headers: Dispatcher.ResponseData['headers']): Headers {
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
