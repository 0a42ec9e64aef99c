import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

/** Maximum number of certificates between an authority and a root certificate. By judgment; actual chains have at most 3. */
const MAX_CHAIN_LENGTH = 8;

let trustedRoots: readonly X509Certificate[] | undefined;

function getTrustedRoots(): readonly X509Certificate[] {
  trustedRoots ??= rootCertificates.map((pem) => new X509Certificate(pem));
  return trustedRoots;
}

/**
 * Returns true if a chain of certificates, all valid at `at` (UTC milliseconds), leads to a root certificate that Node.js
 * trusts. `others` are the certificates that may be part of the chain.
 */
export function isTrustedCertificate(
  certificate: X509Certificate,
  others: readonly X509Certificate[],
  at: number,
  roots: readonly X509Certificate[] = getTrustedRoots(),
): boolean {
  let last = certificate;
  for (let length = 0; length < MAX_CHAIN_LENGTH; length++) {
    if (at < last.validFromDate.getTime() || at > last.validToDate.getTime()) return false;
    const issued = (issuer: X509Certificate) =>
      issuer.ca && last.checkIssued(issuer) && last.verify(issuer.publicKey);
    if (roots.some(issued)) return true;
    const issuer = others.find((each) => each.fingerprint256 !== last.fingerprint256 && issued(each));
    if (issuer === undefined) return false;
    last = issuer;
  }
  return false;
}
