import type { IncomingMessage } from 'node:http';
import { type Encoded, encoded, type Format } from './reply.ts';

/** Section 5: the user name is the key; the password may be anything. */
export function authorized({ headers }: IncomingMessage, apiKey: string): boolean {
  const match = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '');
  if (!match) return false;
  const [user] = Buffer.from(match[1] as string, 'base64')
    .toString('utf8')
    .split(':', 1);
  return user === apiKey;
}

/** Section 7: plain text, whatever the content type says. */
export function denied(format: Format): Encoded {
  const body = Buffer.from('HTTP Basic: Access denied.\n');
  const type = format === 'xml' ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8';
  const answer = encoded(401, type, body);
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': 'Basic realm="Billing API"' } };
}

const HOUR = 3600;

/** The `uniqueness_token`s seen: a POST that carries one seen within the hour is a repetition. */
export class Tokens {
  readonly #seen = new Map<string, number>();

  repeated(body: unknown, now: number): boolean {
    const token = (body as { uniqueness_token?: unknown } | null)?.uniqueness_token;
    if (typeof token !== 'string' || token === '') return false;
    const before = this.#seen.get(token);
    if (before !== undefined && now - before < HOUR) return true;
    this.#seen.set(token, now);
    return false;
  }
}
