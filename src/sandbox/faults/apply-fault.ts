import type { ServerResponse } from 'node:http';
import { type EncodedReply, toEncodedReply } from '../http/reply.ts';
import type { RequestFault } from './fault-injector.ts';

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

export const createErrorPageReply = (status: number): EncodedReply =>
  toEncodedReply(status, 'text/html; charset=utf-8', page(`${status} ${titles[status] ?? 'Error'}`));

/** Returns a 429 response with the text of the real service. `now` is in UTC milliseconds. */
export function createTooManyRequestsReply(
  retryAfter: number | 'date' | undefined,
  now: number,
  requestId: string,
): EncodedReply {
  const text = `Your request was denied due to a usage violation.  You can track this request with support by referencing ${requestId}.\n`;
  const answer = toEncodedReply(429, 'text/plain; charset=utf-8', Buffer.from(text));
  if (retryAfter === undefined) return answer;
  const value = retryAfter === 'date' ? new Date(now + 2000).toUTCString() : String(retryAfter);
  return { ...answer, headers: { ...answer.headers, 'Retry-After': value } };
}

/** Applies a fault that changes a response but does not prevent it. */
export function applyFaultToReply(fault: RequestFault, answer: EncodedReply): EncodedReply {
  switch (fault.does) {
    case 'error':
      return createErrorPageReply(fault.status);
    case 'html':
      return toEncodedReply(200, 'text/html; charset=utf-8', page('Scheduled maintenance'));
    case 'type':
      return { ...answer, headers: { ...answer.headers, 'Content-Type': 'text/plain; charset=utf-8' } };
    case 'short':
      return { ...answer, body: answer.body.subarray(0, Math.floor(answer.body.length / 2)) };
    default:
      return answer;
  }
}

/** Sends half of a body with its full `Content-Length`, then closes the connection. */
export function sendPartialBody(
  response: ServerResponse,
  { status, headers, body }: EncodedReply,
): Promise<void> {
  response.writeHead(status, { ...headers, 'Content-Length': String(body.length) });
  return new Promise((resolve) => {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
      response.destroy();
      resolve();
    });
  });
}
