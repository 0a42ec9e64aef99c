import type { IncomingMessage } from 'node:http';
import { type EncodedReply, toEncodedReply, type WireFormat } from './reply.ts';

/** Returns true if the user name of the Basic authorization is the API key, with any password (interface 5). */
export function isRequestAuthorized({ headers }: IncomingMessage, apiKey: string): boolean {
  const match = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '');
  if (!match) return false;
  const credentials = Buffer.from(match[1] as string, 'base64').toString('utf8');
  return credentials.split(':', 1)[0] === apiKey;
}

/** Returns the 401 response. Its body is plain text, regardless of its content type (interface 7). */
export function createUnauthorizedReply(format: WireFormat): EncodedReply {
  const body = Buffer.from('HTTP Basic: Access denied.\n');
  const type = format === 'xml' ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8';
  const answer = toEncodedReply(401, type, body);
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': 'Basic realm="Billing API"' } };
}

const HOUR_SECONDS = 3600;

/** Stores each `uniqueness_token` for an hour. A POST with a stored token is a duplicate. */
export class UniquenessTokenStore {
  readonly #tokenTimes = new Map<string, number>();

  isRepeated(body: unknown, now: number): boolean {
    const token = (body as { uniqueness_token?: unknown } | null)?.uniqueness_token;
    if (typeof token !== 'string' || token === '') return false;
    const before = this.#tokenTimes.get(token);
    if (before !== undefined && now - before < HOUR_SECONDS) return true;
    this.#tokenTimes.set(token, now);
    return false;
  }

  /** Discards the token of a request that was refused, so that the corrected request can use this token. */
  release(body: unknown): void {
    this.#tokenTimes.delete(String((body as { uniqueness_token?: unknown } | null)?.uniqueness_token));
  }
}
