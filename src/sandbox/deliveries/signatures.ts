import { createHmac, hash } from 'node:crypto';

/** Returns the signature of a webhook: MD5 of the site's shared key followed by the body, in hex. */
export const computeMd5Signature = (sharedKey: string, body: string): string => hash('md5', sharedKey + body);

export const computeHmacSignature = (sharedKey: string, body: string): string =>
  createHmac('sha256', sharedKey).update(body).digest('hex');
