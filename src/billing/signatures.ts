import { createHash, createHmac } from 'node:crypto';

/** Both signatures the service is known to make of a post, as lower-case hex. */
export interface Signatures {
  /** MD5 of shared key and body, one behind the other. */
  md5: string;
  hmac_sha_256: string;
}

/** The signatures of a webhook's body as posted, by the site's shared key (which is not the API key). */
export function signatureOf(sharedKey: string, body: string): Signatures {
  return {
    md5: createHash('md5').update(sharedKey).update(body).digest('hex'),
    hmac_sha_256: createHmac('sha256', sharedKey).update(body).digest('hex'),
  };
}

/** Which of the two a signature is, or null where it is neither: a wrong shared key, or a body that was changed. */
export function checkSignature(sharedKey: string, body: string, signature: string): keyof Signatures | null {
  const { md5, hmac_sha_256 } = signatureOf(sharedKey, body);
  const given = signature.trim().toLowerCase();
  if (given === md5) return 'md5';
  return given === hmac_sha_256 ? 'hmac_sha_256' : null;
}
