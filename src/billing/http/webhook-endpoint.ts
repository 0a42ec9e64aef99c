import { STATUS_CODES } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { type HttpExchangeContext, toNetworkError } from '../errors/network-errors.ts';
import type { WebhookSignatures } from '../records/webhook-signatures.ts';
import type { EndpointAddress } from './endpoint-address.ts';
import { dispatchRequest, type ResponseStream } from './response-stream.ts';

/** A webhook body with its signatures, as the service would post it. */
export interface SignedWebhook {
  id: number;
  body: string;
  signatures: WebhookSignatures;
}

/** The endpoint's answer. `error` is the reason why the webhook was not accepted, in the style of the service's log. */
export type EndpointResponse = { accepted: true; error: null } | { accepted: false; error: string };

/** A merchant's endpoint to which webhooks are posted directly. */
export interface WebhookEndpoint {
  /** Posts a webhook once. Never throws: a failed connection is an answer. Redirects are not followed. */
  post(webhook: SignedWebhook): Promise<EndpointResponse>;
  /** Closes all connections. Requests in progress are answered with an error. */
  close(): Promise<void>;
}

/** Milliseconds within which the endpoint must answer 200 (interface 2.1: "within 15 seconds"). */
const ACCEPTANCE_MS = 15_000;
/** Maximum bytes of a response body that is read to reuse the connection. Chosen by judgment. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Opens an endpoint with at most `connections` requests at once. `acceptanceMs` is shortened only by tests. */
export function openWebhookEndpoint(
  { url, host }: EndpointAddress,
  connections: number,
  acceptanceMs = ACCEPTANCE_MS,
): WebhookEndpoint {
  const { origin, pathname, search } = new URL(url);
  const options: Pool.Options = {
    allowH2: false,
    connections,
    pipelining: 1,
    connect: { timeout: Math.min(10_000, acceptanceMs) },
    // The deadline below covers the complete exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4000,
  };
  let opening: Promise<Pool> | undefined;
  const context: HttpExchangeContext = { host, activity: 'posting a webhook', isWrite: false };
  return {
    async post({ id, body, signatures }) {
      const path = pathname + addSignatures(search, signatures);
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Tieout (local delivery)',
        'x-chargify-webhook-id': String(id),
        'x-chargify-webhook-signature': signatures.md5,
        'x-chargify-webhook-signature-hmac-sha-256': signatures.hmac_sha_256,
      };
      opening ??= import('undici').then(({ Pool }) => new Pool(origin, options));
      const request = { method: 'POST', path, headers, body } as const;
      const { status, error } = await exchangeWithEndpoint(await opening, request, {
        timeoutMs: acceptanceMs,
        context,
      });
      // Only 200 accepts a webhook (interface 2.1).
      return status === 200 ? { accepted: true, error: null } : { accepted: false, error };
    },
    close: async () => await (await opening)?.destroy(),
  };
}

class DeadlineError extends Error {}

interface ExchangeOptions {
  /** Milliseconds within which the answer must be complete. */
  timeoutMs: number;
  context: HttpExchangeContext;
}

/**
 * Sends a request once and returns the status of the complete answer, or null. `error` describes the status or the reason why
 * there is none. Never throws. Redirects are not followed.
 */
export async function exchangeWithEndpoint(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, context }: ExchangeOptions,
): Promise<{ status: number | null; error: string }> {
  const stream = dispatchRequest(pool, request, () => undefined);
  const timer = setTimeout(() => {
    stream.abort(() => new DeadlineError());
  }, timeoutMs);
  try {
    const status = await readStatus(stream);
    return { status, error: `${status} ${STATUS_CODES[status] ?? ''}`.trim() };
  } catch (error) {
    const message =
      error instanceof DeadlineError
        ? `No answer within ${Math.round(timeoutMs / 1000)} seconds`
        : toNetworkError(error, context).message;
    return { status: null, error: message };
  } finally {
    clearTimeout(timer);
    // Frees the connection of a response that is too large. A complete response is not affected.
    stream.abort(() => new DeadlineError());
  }
}

/** Returns the status of a response after its body has arrived. Stops reading a body that is too large. */
async function readStatus(stream: ResponseStream): Promise<number> {
  const { status } = await stream.head;
  for (let bytes = 0; bytes <= MAX_RESPONSE_BYTES; ) {
    const chunk = await stream.readChunk();
    if (chunk === null) break;
    bytes += chunk.length;
  }
  return status;
}

/** Replaces the placeholders that an endpoint's query may contain, as the service does. */
function addSignatures(search: string, { md5, hmac_sha_256 }: WebhookSignatures): string {
  if (!search.includes('{') && !search.includes('%7B')) return search;
  return search
    .replace(/(?:\{|%7B)signature(?:\}|%7D)/gi, md5)
    .replace(/(?:\{|%7B)signature_hmac_sha_256(?:\}|%7D)/gi, hmac_sha_256);
}
