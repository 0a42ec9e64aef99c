import { createHmac, hash } from 'node:crypto';

/** Returns the signature of a log entry: MD5, in hex, of the site's shared key followed by the body. */
export const md5Signature = (sharedKey: string, body: string): string => hash('md5', sharedKey + body);

export const hmacSignature = (sharedKey: string, body: string): string =>
  createHmac('sha256', sharedKey).update(body).digest('hex');
