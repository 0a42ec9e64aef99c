import type { ServerResponse } from 'node:http';
import { type Encoded, encoded } from '../http/reply.ts';
import type { Damage } from './wire.ts';

const page = (title: string): Buffer =>
  Buffer.from(
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  );

const titles: Record<number, string> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export const errorPage = (status: number): Encoded =>
  encoded(status, 'text/html; charset=utf-8', page(`${status} ${titles[status] ?? 'Error'}`));

/** The real service's words for too many requests. `now` is milliseconds UTC. */
export function busy(retryAfter: number | 'date' | undefined, now: number, requestId: string): Encoded {
  const text = `Your request was denied due to a usage violation.  You can track this request with support by referencing ${requestId}.\n`;
  const answer = encoded(429, 'text/plain; charset=utf-8', Buffer.from(text));
  if (retryAfter === undefined) return answer;
  const value = retryAfter === 'date' ? new Date(now + 2000).toUTCString() : String(retryAfter);
  return { ...answer, headers: { ...answer.headers, 'Retry-After': value } };
}

/** What a damaged answer is on the wire, where it is still an answer. */
export function spoilt(damage: Damage, answer: Encoded): Encoded {
  switch (damage.does) {
    case 'error':
      return errorPage(damage.status);
    case 'html':
      return encoded(200, 'text/html; charset=utf-8', page('Scheduled maintenance'));
    case 'type':
      return { ...answer, headers: { ...answer.headers, 'Content-Type': 'text/plain; charset=utf-8' } };
    case 'short':
      return { ...answer, body: answer.body.subarray(0, Math.floor(answer.body.length / 2)) };
    default:
      return answer;
  }
}

/** Sends half of a body under the length of the whole, and cuts the connection. */
export function sendHalf(response: ServerResponse, { status, headers, body }: Encoded): Promise<void> {
  response.writeHead(status, { ...headers, 'Content-Length': String(body.length) });
  return new Promise((resolve) => {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
      response.destroy();
      resolve();
    });
  });
}
