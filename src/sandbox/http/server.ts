import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { busy, errorPage, sendHalf, spoilt } from '../faults/spoil.ts';
import type { Damage, Wire } from '../faults/wire.ts';
import type { Entity } from '../render/statement.ts';
import type { Service } from '../service.ts';
import { authorized, denied, Tokens } from './access.ts';
import { decodeBody, readBody } from './body.ts';
import { answerControl, type Control } from './control.ts';
import { Refused } from './refused.ts';
import { type Encoded, encode, encoded, type Format, missing, type Reply } from './reply.ts';
import { type Found, findRoute, formatOf } from './routes.ts';
import { Traffic } from './traffic.ts';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly found: Found | null;
  readonly format: Format;
}

/** The service's HTTP face. */
export class BillingServer {
  readonly traffic = new Traffic();
  url = '';
  readonly #service: Service;
  readonly #apiKey: string;
  readonly #control: Control;
  readonly #wire: Wire;
  readonly #server: Server;
  readonly #tokens = new Tokens();
  #answers = 0;

  constructor(service: Service, apiKey: string, control: Control, wire: Wire) {
    this.#service = service;
    this.#apiKey = apiKey;
    this.#control = control;
    this.#wire = wire;
    this.#server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
      this.#take(request, response).catch(() => this.#fail(request, response));
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

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://sandbox');
    if (url.pathname.startsWith('/sandbox/')) {
      await this.#takeControl(request, response, method, url);
      return;
    }
    const { accept = '', 'content-type': contentType = '' } = request.headers;
    const { path, format } = formatOf(this.#service, url.pathname, accept, contentType);
    const found = findRoute(method, path, format);
    const record = this.traffic.begin(found?.kind ?? 'unknown', method, request.url ?? '/');
    const { delay, damage } = this.#wire.next(record.kind, method);
    let sent: [status: number, bytes: number] = [0, 0];
    try {
      sent = await this.#exchange({ request, response, url, found, format }, delay, damage);
    } finally {
      this.traffic.end(record, ...sent);
    }
  }

  /** Answers one request with its damage; returns the status sent, 0 where none was, and the bytes. */
  async #exchange(
    exchange: Exchange,
    delay: number,
    damage: Damage,
  ): Promise<[status: number, bytes: number]> {
    const { request, response, format } = exchange;
    const body = await readBody(request).catch((error: unknown) => error);
    if (damage.does === 'stall') {
      await new Promise((resolve) => response.once('close', resolve));
      return [0, 0];
    }
    const leave = damage.does === 'busy' ? null : await this.#wire.enter();
    if (leave === null) return this.#send(request, response, this.#busy());
    try {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      if (damage.does === 'cut') return cut(response);
      if (damage.does === 'error') return this.#send(request, response, errorPage(damage.status));
      if (damage.does === 'deny') return this.#send(request, response, denied(format));
      const answer = await this.#answer(exchange, body, damage);
      if (damage.does === 'lose_answer') return cut(response);
      if (damage.does === 'half') {
        await sendHalf(response, answer);
        return [0, Math.floor(answer.body.length / 2)];
      }
      return this.#send(request, response, spoilt(damage, answer));
    } finally {
      leave();
    }
  }

  async #answer({ request, url, found, format }: Exchange, body: unknown, damage: Damage): Promise<Encoded> {
    try {
      if (!authorized(request, this.#apiKey)) return denied(format);
      if (body instanceof Error) throw body;
      if (!found) return encode(missing, format);
      const { route, numbers } = found;
      const decoded =
        route.method === 'POST'
          ? decodeBody(body as Buffer, request.headers['content-type'] ?? '', format)
          : null;
      if (this.#tokens.repeated(decoded, this.#service.clock.seconds)) {
        return encode(
          { kind: 'errors', status: 409, errors: ['DuplicatePrevention::DuplicateSubmissionError'] },
          format,
        );
      }
      const query = damage.does === 'stale_page' ? pageBefore(url.searchParams) : url.searchParams;
      const reply = await route.answer({ service: this.#service, format, query, numbers, body: decoded });
      if (route.kind === 'webhooks' && this.#wire.spec.drift) this.#service.drift(this.#wire.spec.drift);
      return poisoned(reply, this.#wire.spec.poison) ? errorPage(500) : encode(reply, format);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return encode({ kind: 'errors', status: error.status, errors: [error.message] }, format);
    }
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers, body }: Encoded,
  ): [number, number] {
    const held = status === 200 && request.headers['if-none-match'] === headers['ETag'];
    response.writeHead(held ? 304 : status, {
      ...headers,
      ...(!held && { 'Content-Length': String(body.length) }),
      'Cache-Control': 'max-age=0, private, must-revalidate',
      'X-Request-Id': this.#requestId(++this.#answers),
      Date: new Date(this.#now()).toUTCString(),
    });
    response.end(held ? undefined : body);
    return [held ? 304 : status, held ? 0 : body.length];
  }

  /** A caller that went away is left alone; anything else that goes wrong is the sandbox's own 500. */
  #fail(request: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent || request.destroyed) response.destroy();
    else this.#send(request, response, errorPage(500));
  }

  #busy(): Encoded {
    return busy(this.#wire.spec.retry_after, this.#now(), this.#requestId(this.#answers + 1));
  }

  /** The time the service shows, milliseconds UTC. */
  #now = (): number => this.#service.clock.ms + (this.#wire.spec.skew ?? 0) * 1000;

  #requestId = (n: number): string => n.toString(16).padStart(32, '0');

  async #takeControl(
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
    url: URL,
  ): Promise<void> {
    const body = await readBody(request);
    const answer = authorized(request, this.#apiKey)
      ? answerControl(this.#control, method, url.pathname.slice('/sandbox/'.length), body.toString('utf8'))
      : {
          status: 401,
          value: { error: 'The sandbox is controlled with its API key as the Basic user name.' },
        };
    const text = Buffer.from(`${JSON.stringify(answer.value)}\n`);
    this.#send(request, response, encoded(answer.status, 'application/json; charset=utf-8', text));
  }
}

function cut(response: ServerResponse): [status: number, bytes: number] {
  response.destroy();
  return [0, 0];
}

/** The query for the page before the one asked for. */
function pageBefore(query: URLSearchParams): URLSearchParams {
  const page = Number(query.get('page') ?? 1);
  const changed = new URLSearchParams(query);
  if (page > 1) changed.set('page', String(page - 1));
  return changed;
}

function poisoned(reply: Reply, ids: readonly number[] | undefined): boolean {
  if (!ids || ids.length === 0) return false;
  const rows = reply.kind === 'list' ? reply.values : reply.kind === 'entity' ? [reply.value] : [];
  return rows.some((row) => ids.includes((row as Entity)['id'] as number));
}
