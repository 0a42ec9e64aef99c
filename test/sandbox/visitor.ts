import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';

export type Fields = Record<string, unknown>;

export interface Answer {
  status: number;
  type: string;
  headers: Headers;
  text: string;
  /** The text as JSON; an error where it is none. */
  json: () => unknown;
  bytes: Buffer;
}

/** A plain HTTP caller of one sandbox, with its key. */
export interface Visitor {
  sandbox: Sandbox;
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** The one entity or the list of a JSON answer, unwrapped. */
  read: (path: string) => Promise<Fields>;
  list: (path: string) => Promise<Fields[]>;
}

/** Starts a sandbox for one test and closes it after. */
export async function visit(options: SandboxOptions = {}): Promise<Visitor> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return visitor(sandbox);
}

export const basic = (key: string, password = 'x'): string =>
  `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`;

export function visitor(sandbox: Sandbox): Visitor {
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Answer> => {
    const response = await fetch(sandbox.url + path, {
      method,
      headers: { authorization: basic(sandbox.apiKey), ...headers },
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString('utf8');
    const type = response.headers.get('content-type') ?? '';
    return {
      status: response.status,
      type,
      headers: response.headers,
      text,
      json: () => JSON.parse(text),
      bytes,
    };
  };
  const get: Visitor['get'] = (path, headers = {}) => ask('GET', path, headers);
  return {
    sandbox,
    get,
    post: (path, body, headers = {}) =>
      typeof body === 'string'
        ? ask('POST', path, headers, body)
        : ask('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
    read: async (path) => Object.values((await get(path)).json() as Record<string, Fields>)[0] as Fields,
    list: async (path) =>
      ((await get(path)).json() as Record<string, Fields>[]).map((item) => Object.values(item)[0] as Fields),
  };
}

/** The pairs of a form body, in order. */
export const pairs = (body: string): [string, string][] =>
  body.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
  });
