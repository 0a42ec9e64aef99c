import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '../service.ts';
import { decodeBody, readBody } from './body.ts';
import { answerControl, type Control } from './control.ts';
import { Refused } from './refused.ts';
import { type Encoded, encode, encoded, type Format, missing } from './reply.ts';
import { type Found, findRoute, formatOf } from './routes.ts';
import { Traffic } from './traffic.ts';

/** The service's HTTP face. */
export class BillingServer {
  readonly traffic = new Traffic();
  url = '';
  readonly #service: Service;
  readonly #apiKey: string;
  readonly #control: Control;
  readonly #server: Server;
  #requests = 0;
  readonly #tokens = new Map<string, number>();

  constructor(service: Service, apiKey: string, control: Control) {
    this.#service = service;
    this.#apiKey = apiKey;
    this.#control = control;
    this.#server = createServer(
      { keepAliveTimeout: 30_000 },
      (request, response) => void this.#take(request, response),
    );
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
    const { path, format } = formatOf(
      this.#service,
      url.pathname,
      request.headers.accept ?? '',
      request.headers['content-type'] ?? '',
    );
    const found = findRoute(method, path, format);
    const record = this.traffic.begin(found?.kind ?? 'unknown', method, request.url ?? '/');
    const answer = await this.#answer(request, url, found, format);
    this.#send(request, response, answer);
    this.traffic.end(record, answer.status, answer.body.length);
  }

  async #answer(request: IncomingMessage, url: URL, found: Found | null, format: Format): Promise<Encoded> {
    try {
      const body = await readBody(request);
      if (!this.#authorized(request)) return denied(format);
      if (!found) return encode(missing, format);
      const decoded =
        found.route.method === 'POST'
          ? decodeBody(body, request.headers['content-type'] ?? '', format)
          : null;
      if (this.#repeated(decoded)) {
        return encode(
          { kind: 'errors', status: 409, errors: ['DuplicatePrevention::DuplicateSubmissionError'] },
          format,
        );
      }
      const ask = {
        service: this.#service,
        format,
        query: url.searchParams,
        numbers: found.numbers,
        body: decoded,
      };
      return encode(await found.route.answer(ask), format);
    } catch (error) {
      if (error instanceof Refused)
        return encode({ kind: 'errors', status: error.status, errors: [error.message] }, format);
      throw error;
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Encoded): void {
    const held = request.headers['if-none-match'] === headers['ETag'] && status === 200;
    response.writeHead(held ? 304 : status, {
      ...headers,
      ...(!held && { 'Content-Length': String(body.length) }),
      'Cache-Control': 'max-age=0, private, must-revalidate',
      'X-Request-Id': (++this.#requests).toString(16).padStart(32, '0'),
      Date: new Date(this.#service.clock.ms).toUTCString(),
    });
    response.end(held ? undefined : body);
  }

  /** The user name is the key; the password may be anything. */
  #authorized({ headers }: IncomingMessage): boolean {
    const match = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '');
    if (!match) return false;
    const [user] = Buffer.from(match[1] as string, 'base64')
      .toString('utf8')
      .split(':', 1);
    return user === this.#apiKey;
  }

  /** A POST that carries a `uniqueness_token` seen within the hour is a repetition. */
  #repeated(body: unknown): boolean {
    const token = (body as { uniqueness_token?: unknown } | null)?.uniqueness_token;
    if (typeof token !== 'string' || token === '') return false;
    const now = this.#service.clock.seconds;
    const seen = this.#tokens.get(token);
    if (seen !== undefined && now - seen < 3600) return true;
    this.#tokens.set(token, now);
    return false;
  }

  async #takeControl(
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
    url: URL,
  ): Promise<void> {
    const body = await readBody(request);
    const answer = this.#authorized(request)
      ? answerControl(this.#control, method, url.pathname.slice('/sandbox/'.length), body.toString('utf8'))
      : {
          status: 401,
          value: { error: 'The sandbox is controlled with its API key as the Basic user name.' },
        };
    const text = Buffer.from(`${JSON.stringify(answer.value)}\n`);
    this.#send(request, response, encoded(answer.status, 'application/json; charset=utf-8', text));
  }
}

/** Section 7: plain text, whatever the content type says. */
function denied(format: Format): Encoded {
  const body = Buffer.from('HTTP Basic: Access denied.\n');
  const type = format === 'xml' ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8';
  const answer = encoded(401, type, body);
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': 'Basic realm="Billing API"' } };
}
