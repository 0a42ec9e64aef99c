import { createHmac, hash } from 'node:crypto';

/** The signature of a log entry: MD5, in hex, of the site's shared key followed by the body. */
export const signature = (sharedKey: string, body: string): string => hash('md5', sharedKey + body);

export const hmacSignature = (sharedKey: string, body: string): string =>
  createHmac('sha256', sharedKey).update(body).digest('hex');
