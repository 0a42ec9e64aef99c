import { hash } from 'node:crypto';
import { BillingError } from '../errors/billing-error.ts';
import { isServiceUnreachable } from '../errors/network-errors.ts';
import { parseHttpDate } from '../formats/instant.ts';
import type { JsonValue } from '../formats/json-value.ts';
import { UnreadableResponseError } from '../formats/unreadable-response.ts';
import type { ResponseReadContext } from '../records/record-reader.ts';
import type { ResponseMetadata, ResponseReadProblem } from '../records/record-types.ts';
import {
  type CompleteResponse,
  createStatusError,
  createUnreadableResponseError,
  parseRetryAfter,
  type RequestDescription,
} from './error-responses.ts';
import { createKeyRedactor, type KeyRedactor, toBasicAuthorization } from './key-redaction.ts';
import type { RequestPacer, RequestSlot } from './request-pacing.ts';
import {
  type BillingDataFormat,
  type DecodedBody,
  decodeResponse,
  MAX_BODY_BYTES,
} from './response-decoding.ts';
import type { ServiceAddress } from './service-address.ts';
import type { HttpTransport, IncomingResponse } from './transport.ts';

/** Operation that a request performs. Request counts are grouped by this kind. */
export type RequestKind =
  | 'webhooks'
  | 'replay'
  | 'allocations'
  | 'create_allocation'
  | 'create_allocations'
  | 'statement_ids'
  | 'statements'
  | 'statement'
  | 'statement_pdf'
  | 'site'
  | 'endpoints'
  | 'events';

/** Event about one HTTP exchange, emitted when it ends. A retried call emits one event per attempt. */
export interface RequestEvent {
  kind: RequestKind;
  method: 'GET' | 'POST';
  /** Path and query of the request, without the origin. */
  path: string;
  /** Number of the attempt, starting at 1. */
  attempt: number;
  /** HTTP status of the response; absent if no response arrived. */
  status?: number;
  bytes?: number;
  ms: number;
  /** The decoded response; absent for failed attempts and downloads. */
  answer?: RequestAnswer;
  /** Error code, if the attempt failed. */
  error?: string;
  /** Local time until which requests are paused, in UTC milliseconds; absent if not paused. */
  paused_until?: number;
}

/** A response that was read completely and decoded. */
export interface RequestAnswer {
  /** Time at which the request was sent, in UTC milliseconds by the local clock. */
  started_at: number;
  /** Time of the service according to the response, in UTC milliseconds; null if the response states no time. */
  server_time: number | null;
  /** Number of records in the response. */
  rows: number;
  /** SHA-256 (hex) of the decompressed body. */
  sha256: string;
}

/** A request to the billing service, without credentials. */
export interface BillingRequest extends RequestDescription {
  kind: RequestKind;
  method: 'GET' | 'POST';
  path: string;
  accept: string;
  content: { type: string; text: string } | null;
  signal: AbortSignal | undefined;
  maxAttempts: number | undefined;
}

/** A request whose response is read completely and decoded. */
export interface DecodedRequest<T> extends BillingRequest {
  format: BillingDataFormat;
  read: (tree: JsonValue, reading: ResponseReadContext) => T;
  /** Result to return if the service confirms a creation (201) but the response cannot be read. */
  valueIfUnreadable?: T;
}

export interface DecodedResponse<T> {
  value: T;
  problems: ResponseReadProblem[];
  meta: ResponseMetadata;
}

export interface RequestContext {
  readonly address: ServiceAddress;
  readonly transport: HttpTransport;
  readonly pacer: RequestPacer;
  readonly getApiKey: () => Promise<string>;
  readonly now: () => number;
  readonly onRequest: ((event: RequestEvent) => void) | undefined;
  /** True after the first response of any kind from the service. */
  hasReachedService: boolean;
}

/** Maximum number of attempts before the first response, kept low so that offline users find out quickly. */
const MAX_ATTEMPTS_BEFORE_FIRST_RESPONSE = 2;

/** An attempt of a request that is in progress. */
export interface RequestAttempt {
  readonly started_at: number;
  readonly redactor: KeyRedactor;
  readonly incoming: IncomingResponse;
  /** Ends the attempt: frees its slot according to the outcome and emits an `onRequest` event. */
  end(bytes: number, outcome?: { error?: BillingError; answer?: RequestAnswer }): void;
}

/** Waits for a slot, gets the API key and sends the request with it. */
export async function startRequestAttempt(
  context: RequestContext,
  request: BillingRequest,
  attempt: number,
): Promise<RequestAttempt> {
  const { address, transport, now } = context;
  const slot = await context.pacer.acquireSlot(request.signal);
  let key: string;
  try {
    key = await context.getApiKey();
    if (key === '') throw missingKeyError(address.host);
  } catch (error) {
    slot.released();
    throw error;
  }

  const redactor = createKeyRedactor(key);
  const started_at = now();
  const clock = performance.now();
  const path = address.prefix + request.path;
  let incoming: IncomingResponse | undefined;
  let hasEnded = false;

  function end(
    bytes: number,
    { error, answer }: { error?: BillingError; answer?: RequestAnswer } = {},
  ): void {
    if (hasEnded) return;
    hasEnded = true;
    releaseSlot(slot, request.kind, incoming, { error, now: now() });
    const { paused_until } = context.pacer.state();
    context.onRequest?.({
      kind: request.kind,
      method: request.method,
      path,
      attempt,
      ...(incoming && { status: incoming.status, bytes }),
      ms: performance.now() - clock,
      ...(answer && { answer }),
      ...(error && { error: error.code }),
      ...(paused_until !== null && { paused_until }),
    });
  }

  const headers: Record<string, string> = {
    accept: request.accept,
    'accept-encoding': request.kind === 'statement_pdf' ? 'identity' : 'gzip',
    authorization: toBasicAuthorization(key),
    'user-agent': 'Tieout',
  };
  if (request.content !== null) headers['content-type'] = request.content.type;
  try {
    const body = request.content?.text || undefined;
    incoming = await transport.send({ ...request, path, headers, body });
    context.hasReachedService = true;
  } catch (error) {
    throw endRequestAttemptWithError({ redactor, end }, 0, error);
  }
  return { started_at, redactor, incoming, end };
}

function releaseSlot(
  slot: RequestSlot,
  kind: RequestKind,
  incoming: IncomingResponse | undefined,
  { error, now }: { error: BillingError | undefined; now: number },
): void {
  const retryAfterMs = incoming === undefined ? null : parseRetryAfter(incoming.headers, now);
  if (incoming?.status === 429) slot.rateLimited(retryAfterMs);
  else if (incoming?.status === 503 || error?.code === 'timeout') slot.overloaded(retryAfterMs);
  else if (incoming === undefined || incoming.status >= 500 || error?.code === 'network') slot.released();
  else slot.succeeded(kind, incoming.msToFirstByte);
}

/** Ends a failed attempt and returns the error to throw. The API key is redacted from billing errors. */
export function endRequestAttemptWithError(
  { redactor, end }: Pick<RequestAttempt, 'redactor' | 'end'>,
  bytes: number,
  error: unknown,
): unknown {
  if (!(error instanceof BillingError)) {
    end(bytes);
    return error;
  }
  const redacted = redactor.error(error);
  end(bytes, { error: redacted });
  return redacted;
}

function missingKeyError(host: string): BillingError {
  return new BillingError('auth', `There is no API key for ${host}.`, {
    hint: 'Enter the API key of this site.',
  });
}

export function toResponseMetadata(
  { incoming, started_at }: RequestAttempt,
  bytes: number,
): ResponseMetadata {
  const { headers, status } = incoming;
  return {
    server_time: parseHttpDate(headers['date']),
    started_at,
    bytes,
    status,
    request_id: headers['x-request-id'] ?? null,
  };
}

/** Creates the error for an unsuccessful response. An interrupted body is ignored, because it would only add detail. */
export async function readErrorResponse(
  request: BillingRequest,
  { incoming }: RequestAttempt,
  now: number,
): Promise<BillingError> {
  const body = await incoming.readBody(MAX_BODY_BYTES).catch((error: unknown) => {
    if (error instanceof BillingError && error.code !== 'canceled') return Buffer.alloc(0);
    throw error;
  });
  return createStatusError(request, { status: incoming.status, headers: incoming.headers, body }, now);
}

export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

async function attemptOnce<T>(
  context: RequestContext,
  request: DecodedRequest<T>,
  attemptNumber: number,
): Promise<DecodedResponse<T>> {
  const attempt = await startRequestAttempt(context, request, attemptNumber);
  const { incoming, redactor } = attempt;
  let bytes = 0;
  try {
    if (!isSuccessStatus(incoming.status)) throw await readErrorResponse(request, attempt, context.now());
    const body = await readBody(request, incoming);
    bytes = body.length;
    const { value, problems, sha256 } = decodeBody(request, { ...incoming, body });
    const meta = toResponseMetadata(attempt, bytes);
    const rows = Array.isArray(value) ? value.length : 1;
    attempt.end(bytes, {
      answer: { started_at: attempt.started_at, server_time: meta.server_time, rows, sha256 },
    });
    return { value, problems: redactor.problems(problems), meta };
  } catch (error) {
    throw endRequestAttemptWithError(attempt, bytes, error);
  }
}

/** Reads the response body. After a 201, the write has taken effect, so an interrupted body is treated as empty. */
async function readBody<T>(request: DecodedRequest<T>, incoming: IncomingResponse): Promise<Buffer> {
  try {
    return await incoming.readBody(MAX_BODY_BYTES);
  } catch (error) {
    if (request.valueIfUnreadable !== undefined && incoming.status === 201) return Buffer.alloc(0);
    throw error;
  }
}

function decodeBody<T>(request: DecodedRequest<T>, response: CompleteResponse): DecodedBody<T> {
  try {
    return decodeResponse(response.body, response.headers, request.format, request.read);
  } catch (error) {
    if (!(error instanceof UnreadableResponseError)) throw error;
    if (request.valueIfUnreadable === undefined || response.status !== 201) {
      throw createUnreadableResponseError(request, error, response);
    }
    const reason = `was created, but the response ${error.message}`;
    return {
      value: request.valueIfUnreadable,
      problems: [{ path: '', reason, raw: response.body.toString('utf8'), outcome: 'rejected' }],
      sha256: hash('sha256', response.body, 'hex'),
    };
  }
}

/** Returns true if another attempt may be made, after waiting for the backoff delay. Writes are never retried. */
export async function shouldRetry(
  { pacer, hasReachedService }: RequestContext,
  request: BillingRequest,
  error: unknown,
  attempt: number,
): Promise<boolean> {
  if (!(error instanceof BillingError) || !error.retryable || request.isWrite) return false;
  if (attempt >= (request.maxAttempts ?? pacer.maxAttempts)) return false;
  const isTooEarly = !hasReachedService && attempt >= MAX_ATTEMPTS_BEFORE_FIRST_RESPONSE;
  if (isTooEarly && isServiceUnreachable(error)) return false;
  if ((error.retry_after_ms ?? 0) > pacer.maxRetryAfterMs) return false;
  // After a 429 or a `Retry-After`, the pacer already pauses all requests, so this function adds no backoff.
  if (error.code !== 'rate_limited' && error.retry_after_ms === undefined) {
    await pacer.waitBeforeRetry(attempt, request.signal);
  }
  return true;
}

/** Sends a request and decodes the response. Reads may be retried, writes never. Throws BillingError. */
export async function performRequest<T>(
  context: RequestContext,
  request: DecodedRequest<T>,
): Promise<DecodedResponse<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(context, request, attempt);
    } catch (error) {
      if (!(await shouldRetry(context, request, error, attempt))) throw error;
    }
  }
}
