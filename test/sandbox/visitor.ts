import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';

export type JsonObject = Record<string, unknown>;

export interface HttpResponse {
  status: number;
  type: string;
  headers: Headers;
  text: string;
  /** The text as JSON; an error where it is none. */
  json: () => unknown;
  bytes: Buffer;
}

/** A plain HTTP caller of one sandbox, with its key. */
export interface SandboxClient {
  sandbox: Sandbox;
  get: (path: string, headers?: Record<string, string>) => Promise<HttpResponse>;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<HttpResponse>;
  /** The one entity or the list of a JSON answer, unwrapped. */
  read: (path: string) => Promise<JsonObject>;
  list: (path: string) => Promise<JsonObject[]>;
}

/** Starts a sandbox for one test and closes it after. */
export async function startTestSandbox(options: SandboxOptions = {}): Promise<SandboxClient> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return createSandboxClient(sandbox);
}

export const basicAuthorization = (key: string, password = 'x'): string =>
  `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`;

export function createSandboxClient(sandbox: Sandbox): SandboxClient {
  const request = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<HttpResponse> => {
    const response = await fetch(sandbox.url + path, {
      method,
      headers: { authorization: basicAuthorization(sandbox.apiKey), ...headers },
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
  const get: SandboxClient['get'] = (path, headers = {}) => request('GET', path, headers);
  return {
    sandbox,
    get,
    post: (path, body, headers = {}) =>
      typeof body === 'string'
        ? request('POST', path, headers, body)
        : request('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
    read: async (path) =>
      Object.values((await get(path)).json() as Record<string, JsonObject>)[0] as JsonObject,
    list: async (path) =>
      ((await get(path)).json() as Record<string, JsonObject>[]).map(
        (wrapper) => Object.values(wrapper)[0] as JsonObject,
      ),
  };
}

/** The pairs of a form body, in order. */
export const parseFormBody = (body: string): [string, string][] =>
  body.split('&').map((pair) => {
    const separator = pair.indexOf('=');
    return [pair.slice(0, separator), decodeURIComponent(pair.slice(separator + 1))];
  });
