import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  applyFaultToReply,
  createErrorPageReply,
  createTooManyRequestsReply,
  sendPartialBody,
} from './faults/apply-fault.ts';
import type { FaultInjector, RequestFault } from './faults/fault-injector.ts';
import { createUnauthorizedReply, isRequestAuthorized, UniquenessTokenStore } from './http/authentication.ts';
import { type ControlRequestHandlers, handleControlRequest } from './http/control-requests.ts';
import { RefusedRequestBodyError } from './http/parse-xml-body.ts';
import {
  type EncodedReply,
  encodeReply,
  notFoundReply,
  type ServiceReply,
  toEncodedReply,
  type WireFormat,
} from './http/reply.ts';
import { decodeRequestBody, readRequestBody } from './http/request-body.ts';
import { RequestLog } from './http/request-log.ts';
import { findRoute, type MatchedRoute, splitPathAndFormat } from './http/routes.ts';
import type { JsonRecord } from './render/json-records.ts';
import type { BillingService } from './service/billing-service.ts';

/** HTTP status of a response (0 if none was sent), and number of body bytes sent. */
type SentReply = [status: number, bytes: number];

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly match: MatchedRoute | null;
  readonly format: WireFormat;
}

export class BillingServer {
  readonly traffic = new RequestLog();
  url = '';
  readonly #service: BillingService;
  readonly #apiKey: string;
  readonly #controlHandlers: ControlRequestHandlers;
  readonly #faults: FaultInjector;
  readonly #server: Server;
  readonly #uniquenessTokens = new UniquenessTokenStore();
  #answers = 0;

  constructor(service: BillingService, apiKey: string, control: ControlRequestHandlers, wire: FaultInjector) {
    this.#service = service;
    this.#apiKey = apiKey;
    this.#controlHandlers = control;
    this.#faults = wire;
    this.#server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
      this.#handleRequest(request, response).catch(() => this.#answerInternalError(request, response));
    });
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://sandbox');
    if (url.pathname.startsWith('/sandbox/')) {
      await this.#handleControlRequest(request, response, method, url);
      return;
    }
    const { path, format } = splitPathAndFormat(this.#service, url.pathname, request.headers);
    const match = findRoute(method, path, format);
    const record = this.traffic.begin(match?.kind ?? 'unknown', method, request.url ?? '/');
    const { delay, fault } = this.#faults.chooseFault(record.kind, method);
    let sent: SentReply = [0, 0];
    try {
      sent = await this.#answerWithFault({ request, response, url, match, format }, delay, fault);
    } finally {
      this.traffic.end(record, ...sent);
    }
  }

  /** Answers one request with its fault applied. Returns the status (0 for no response) and the number of bytes sent. */
  async #answerWithFault(exchange: Exchange, delay: number, fault: RequestFault): Promise<SentReply> {
    const { request, response, format } = exchange;
    const body = await readRequestBody(request).catch((error: unknown) => error);
    if (fault.does === 'stall') {
      await new Promise((resolve) => response.once('close', resolve));
      return [0, 0];
    }
    const releaseSlot = fault.does === 'busy' ? null : await this.#faults.acquireSlot();
    if (releaseSlot === null) return this.#send(request, response, this.#createBusyReply());
    try {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      if (fault.does === 'cut') return cutConnection(response);
      if (fault.does === 'error') return this.#send(request, response, createErrorPageReply(fault.status));
      if (fault.does === 'deny') return this.#send(request, response, createUnauthorizedReply(format));
      const answer = await this.#answer(exchange, body, fault);
      if (fault.does === 'lose_answer') return cutConnection(response);
      if (fault.does === 'half') {
        await sendPartialBody(response, answer);
        return [0, Math.floor(answer.body.length / 2)];
      }
      return this.#send(request, response, applyFaultToReply(fault, answer));
    } finally {
      releaseSlot();
    }
  }

  async #answer(
    { request, url, match, format }: Exchange,
    body: unknown,
    fault: RequestFault,
  ): Promise<EncodedReply> {
    try {
      if (!isRequestAuthorized(request, this.#apiKey)) return createUnauthorizedReply(format);
      if (body instanceof Error) throw body;
      if (!match) return encodeReply(notFoundReply, format);
      const { route, numbers } = match;
      const decoded =
        route.method === 'POST'
          ? decodeRequestBody(body as Buffer, request.headers['content-type'] ?? '', format)
          : null;
      if (this.#uniquenessTokens.isRepeated(decoded, this.#service.clock.seconds)) {
        const errors = ['DuplicatePrevention::DuplicateSubmissionError'];
        return encodeReply({ kind: 'errors', status: 409, errors }, format);
      }
      const query = fault.does === 'stale_page' ? toPreviousPageQuery(url.searchParams) : url.searchParams;
      const reply = await route.answer({ service: this.#service, format, query, numbers, body: decoded });
      const answer = encodeReply(reply, format);
      if (answer.status >= 400) this.#uniquenessTokens.release(decoded);
      if (route.kind === 'webhooks' && this.#faults.spec.drift) this.#service.drift(this.#faults.spec.drift);
      return containsPoisonedRow(reply, this.#faults.spec.poison) ? createErrorPageReply(500) : answer;
    } catch (error) {
      if (!(error instanceof RefusedRequestBodyError)) throw error;
      return encodeReply({ kind: 'errors', status: error.status, errors: [error.message] }, format);
    }
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers, body }: EncodedReply,
  ): SentReply {
    const isUnchanged = status === 200 && request.headers['if-none-match'] === headers['ETag'];
    response.writeHead(isUnchanged ? 304 : status, {
      ...headers,
      ...(!isUnchanged && { 'Content-Length': String(body.length) }),
      'Cache-Control': 'max-age=0, private, must-revalidate',
      'X-Request-Id': this.#requestId(++this.#answers),
      Date: new Date(this.#now()).toUTCString(),
    });
    response.end(isUnchanged ? undefined : body);
    return [isUnchanged ? 304 : status, isUnchanged ? 0 : body.length];
  }

  /** Answers an unexpected error with 500. Ignores clients that have disconnected. */
  #answerInternalError(request: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent || request.destroyed) response.destroy();
    else this.#send(request, response, createErrorPageReply(500));
  }

  #createBusyReply(): EncodedReply {
    const id = this.#requestId(this.#answers + 1);
    return createTooManyRequestsReply(this.#faults.spec.retry_after, this.#now(), id);
  }

  /** Returns the time in the `Date` header, in UTC milliseconds. */
  #now = (): number => this.#service.clock.ms + (this.#faults.spec.skew ?? 0) * 1000;

  #requestId = (n: number): string => n.toString(16).padStart(32, '0');

  async #handleControlRequest(
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
    url: URL,
  ): Promise<void> {
    const body = await readRequestBody(request);
    const verb = url.pathname.slice('/sandbox/'.length);
    const error = 'Control requests require the API key as the Basic authentication user name.';
    const answer = isRequestAuthorized(request, this.#apiKey)
      ? handleControlRequest(this.#controlHandlers, method, verb, body.toString('utf8'))
      : { status: 401, value: { error } };
    const text = Buffer.from(`${JSON.stringify(answer.value)}\n`);
    this.#send(request, response, toEncodedReply(answer.status, 'application/json; charset=utf-8', text));
  }
}

function cutConnection(response: ServerResponse): SentReply {
  response.destroy();
  return [0, 0];
}

function toPreviousPageQuery(query: URLSearchParams): URLSearchParams {
  const page = Number(query.get('page') ?? 1);
  const changed = new URLSearchParams(query);
  if (page > 1) changed.set('page', String(page - 1));
  return changed;
}

function containsPoisonedRow(reply: ServiceReply, ids: readonly number[] | undefined): boolean {
  if (!ids || ids.length === 0) return false;
  const rows = reply.kind === 'list' ? reply.values : reply.kind === 'entity' ? [reply.value] : [];
  return rows.some((row) => ids.includes((row as JsonRecord)['id'] as number));
}
