import type { Dispatcher } from 'undici';
import { BillingError, createCanceledError } from '../errors/billing-error.ts';
import { type HttpExchangeContext, toNetworkError, UNKNOWN_OUTCOME_TEXT } from '../errors/network-errors.ts';
import { dispatchRequest, type ResponseHead, type ResponseStream } from './response-stream.ts';
import type { ServiceAddress } from './service-address.ts';

/** Timeouts in milliseconds. */
export interface HttpTransportTimeouts {
  connect: number;
  /** Timeout until the response headers arrive. Longer than the 120 s after which the service ends a request. */
  headers: number;
  /** Maximum pause between two chunks of the response body. */
  body: number;
  /** Timeout of the complete HTTP exchange. */
  total: number;
}

export interface OutgoingRequest extends HttpExchangeContext {
  method: 'GET' | 'POST';
  /** Path and query of the request, starting with `/`. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

export type ResponseHeaders = Readonly<Record<string, string | undefined>>;

/** A response whose headers have arrived but whose body may be incomplete. */
export interface IncomingResponse {
  status: number;
  headers: ResponseHeaders;
  msToFirstByte: number;
  /**
   * Returns the next bytes of the body, or null after the last ones. Throws BillingError if the response is interrupted
   * or the body exceeds `maxBytes`. The connection is freed at the end of the body or by `close`.
   */
  readChunk(maxBytes: number): Promise<Uint8Array | null>;
  /** Returns the complete body. Throws BillingError if the body exceeds `maxBytes`. */
  readBody(maxBytes: number): Promise<Buffer>;
  close(): void;
}

export interface HttpTransport {
  send(outgoing: OutgoingRequest): Promise<IncomingResponse>;
  close(): Promise<void>;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

/** Creates a transport that sends requests to one origin. It opens all connections to the billing service. */
export function createHttpTransport(
  address: ServiceAddress,
  connections: number,
  timeouts: HttpTransportTimeouts,
): HttpTransport {
  const settings = {
    allowH2: false,
    connect: { timeout: timeouts.connect },
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    keepAliveTimeout: 15_000,
  };
  let opening: ReturnType<typeof open> | undefined;

  /** Opens the connections. The HTTP library is loaded here, because most commands send no request. */
  async function open() {
    const { Client, Pool } = await import('undici');
    return {
      reads: new Pool(address.origin, { ...settings, connections, pipelining: 1 }),
      // Each write uses a new connection. If the service closes a reused connection, the outcome of the write is unknown.
      writes: new Client(address.origin, { ...settings, pipelining: 0 }),
    };
  }

  async function send(outgoing: OutgoingRequest): Promise<IncomingResponse> {
    opening ??= open();
    const { reads, writes } = await opening;
    let { path } = outgoing;
    for (let redirects = 0; ; redirects++) {
      const incoming = await exchange(
        outgoing.isWrite ? writes : reads,
        { ...outgoing, path },
        timeouts.total,
      );
      const target = REDIRECT_STATUSES.has(incoming.status) ? incoming.headers['location'] : undefined;
      if (target === undefined) return incoming;
      incoming.close();
      const url = URL.parse(target, address.origin + path);
      if (outgoing.isWrite || url?.origin !== address.origin || redirects === MAX_REDIRECTS) {
        throw redirectError(outgoing, address, url, incoming.status);
      }
      path = url.pathname + url.search;
    }
  }

  return {
    send,
    close: async () => {
      const opened = await opening;
      await Promise.all([opened?.reads.destroy(), opened?.writes.destroy()]);
    },
  };
}

async function exchange(
  dispatcher: Dispatcher,
  outgoing: OutgoingRequest,
  totalTimeoutMs: number,
): Promise<IncomingResponse> {
  const { method, path, headers, signal } = outgoing;
  if (signal?.aborted) throw createCanceledError(`while ${outgoing.activity}`);
  const close = () => stream.abort(() => createCanceledError(`while ${outgoing.activity}`, outgoing.isWrite));
  const timer = setTimeout(() => {
    stream.abort(() => toNetworkError({ code: 'TOTAL_TIMEOUT' }, outgoing));
  }, totalTimeoutMs);
  signal?.addEventListener('abort', close, { once: true });
  const onEnd = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', close);
  };

  const started = performance.now();
  const request = { method, path, headers, body: outgoing.body ?? null };
  const stream = dispatchRequest(dispatcher, request, onEnd);
  const head = await stream.head.catch((error: unknown) => {
    throw toBillingError(error, outgoing);
  });
  const msToFirstByte = performance.now() - started;
  return {
    status: head.status,
    headers: takeFirstValues(head.headers),
    msToFirstByte,
    ...createBodyReader(stream, outgoing, close),
    close,
  };
}

function createBodyReader(stream: ResponseStream, outgoing: OutgoingRequest, close: () => void) {
  let bytes = 0;
  async function readChunk(maxBytes: number): Promise<Uint8Array | null> {
    try {
      const chunk = await stream.readChunk();
      bytes += chunk?.length ?? 0;
      if (bytes > maxBytes) throw responseTooLargeError(outgoing, maxBytes);
      return chunk;
    } catch (error) {
      close();
      throw toBillingError(error, outgoing);
    }
  }

  async function readBody(maxBytes: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for (let chunk = await readChunk(maxBytes); chunk !== null; chunk = await readChunk(maxBytes)) {
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
  return { readChunk, readBody };
}

function toBillingError(error: unknown, outgoing: OutgoingRequest): BillingError {
  return error instanceof BillingError ? error : toNetworkError(error, outgoing);
}

const takeFirstValues = (headers: ResponseHead['headers']): ResponseHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]));

function responseTooLargeError(
  { host, activity, isWrite }: HttpExchangeContext,
  maxBytes: number,
): BillingError {
  const size = `${Math.round(maxBytes / 2 ** 20)} MB`;
  return new BillingError('service', `${host} sent a response larger than ${size} while ${activity}.`, {
    hint: 'Request smaller pages. If that does not help, check the site’s address.',
    outcome_unknown: isWrite,
    detail: { reason: 'too_big' },
  });
}

/**
 * Creates the error for a redirect. Its message shows the new address without credentials, query and fragment. A write
 * answered by 301, 302 or 303 may have taken effect, because some servers redirect to the created record.
 */
function redirectError(
  { host, activity, isWrite }: HttpExchangeContext,
  address: ServiceAddress,
  url: URL | null,
  status: number,
): BillingError {
  const isValid = url !== null && url.origin !== 'null';
  const location = isValid ? url.origin + url.pathname : 'an invalid address';
  const isOtherOrigin = url?.origin !== address.origin;
  const isUnknown = isWrite && status <= 303;
  const message = isOtherOrigin
    ? `${host} redirected to ${location}, a different server, while ${activity}. The API key was not sent there.`
    : isWrite
      ? `${host} redirected to ${location} while ${activity}. Changes are not sent to redirected addresses.`
      : `${host} redirected too often (last to ${location}) while ${activity}.`;
  return new BillingError('service', isUnknown ? `${message} ${UNKNOWN_OUTCOME_TEXT}` : message, {
    hint: isOtherOrigin
      ? 'If the service has moved to that server and you trust it, change the site’s address.'
      : 'Check the site’s address.',
    status,
    outcome_unknown: isUnknown,
    detail: { reason: 'redirect', location },
  });
}
