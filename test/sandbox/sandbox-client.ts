import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';

export type JsonObject = Record<string, unknown>;

export interface HttpResponse {
  status: number;
  type: string;
  headers: Headers;
  text: string;
  /** Parses the text as JSON. Throws if it is invalid. */
  json: () => unknown;
  bytes: Buffer;
}

/** HTTP client of a sandbox that sends its API key. */
export interface SandboxClient {
  sandbox: Sandbox;
  get: (path: string, headers?: Record<string, string>) => Promise<HttpResponse>;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<HttpResponse>;
  /** Returns the entity of a JSON response without its wrapper key. */
  getEntity: (path: string) => Promise<JsonObject>;
  getList: (path: string) => Promise<JsonObject[]>;
}

/** Starts a sandbox that is closed at the end of the test, and returns a client of it. */
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
    getEntity: async (path) =>
      Object.values((await get(path)).json() as Record<string, JsonObject>)[0] as JsonObject,
    getList: async (path) =>
      ((await get(path)).json() as Record<string, JsonObject>[]).map(
        (wrapper) => Object.values(wrapper)[0] as JsonObject,
      ),
  };
}

/** Parses a form-encoded body into its name-value pairs in order. */
export const parseFormBody = (body: string): [string, string][] =>
  body.split('&').map((pair) => {
    const separator = pair.indexOf('=');
    return [pair.slice(0, separator), decodeURIComponent(pair.slice(separator + 1))];
  });
