import { createHmac, hash } from 'node:crypto';
import { type Agent, request, STATUS_CODES } from 'node:http';

/** HTTP status texts that differ from the standard reason phrases. */
const REASON_PHRASES: Record<number, string> = { 404: 'Resource Not Found' };

/** Posts a webhook. Returns null if the endpoint answers 200 in time; otherwise the text for `last_error`. */
export function postWebhook(
  agent: Agent,
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  timeoutSeconds: number,
): Promise<string | null> {
  return new Promise((resolve) => {
    const post = request(url, {
      method: 'POST',
      agent,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      },
    });
    const deadline = setTimeout(() => {
      resolve('execution expired');
      post.destroy();
    }, timeoutSeconds * 1000);
    const finish = (error: string | null): void => {
      clearTimeout(deadline);
      resolve(error);
    };
    post.on('response', (response) => {
      response.resume();
      response.on('error', () => finish('Connection reset by peer'));
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        const phrase = REASON_PHRASES[status] ?? STATUS_CODES[status] ?? '';
        finish(status === 200 ? null : `${status} ${phrase}`.trim());
      });
    });
    post.on('error', (error: NodeJS.ErrnoException) =>
      finish(error.code === 'ECONNREFUSED' ? 'Connection refused' : 'Connection reset by peer'),
    );
    post.end(body);
  });
}

/** Returns the signature of a webhook: MD5 of the site's shared key followed by the body, in hex. */
export const computeMd5Signature = (sharedKey: string, body: string): string => hash('md5', sharedKey + body);

export const computeHmacSignature = (sharedKey: string, body: string): string =>
  createHmac('sha256', sharedKey).update(body).digest('hex');
