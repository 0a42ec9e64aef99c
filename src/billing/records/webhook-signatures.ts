import { createHash, createHmac } from 'node:crypto';

/** The two signatures that the service is known to compute, as lower-case hex. */
export interface WebhookSignatures {
  /** MD5 of the shared key followed by the webhook body. */
  md5: string;
  hmac_sha_256: string;
}

/** Computes the signatures of a webhook body with the site's shared key, which is not the API key. */
export function computeWebhookSignatures(sharedKey: string, body: string): WebhookSignatures {
  return {
    md5: createHash('md5').update(sharedKey).update(body).digest('hex'),
    hmac_sha_256: createHmac('sha256', sharedKey).update(body).digest('hex'),
  };
}

/** Returns the algorithm of a signature. Null if the shared key is wrong or the body was changed. */
export function findSignatureAlgorithm(
  sharedKey: string,
  body: string,
  signature: string,
): keyof WebhookSignatures | null {
  return matchSignature(computeWebhookSignatures(sharedKey, body), signature);
}

/** Returns the algorithm with which a signature was computed, or null if it equals neither signature. */
export function matchSignature(
  { md5, hmac_sha_256 }: WebhookSignatures,
  signature: string,
): keyof WebhookSignatures | null {
  const given = signature.trim().toLowerCase();
  if (given === md5) return 'md5';
  return given === hmac_sha_256 ? 'hmac_sha_256' : null;
}
