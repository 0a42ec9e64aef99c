import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { Certificate } from 'pkijs';

/** Maximum number of certificates between an authority and a root certificate. By judgment; actual chains have at most 3. */
const MAX_CHAIN_LENGTH = 8;

let trustedRoots: readonly X509Certificate[] | undefined;

function getTrustedRoots(): readonly X509Certificate[] {
  trustedRoots ??= rootCertificates.map((pem) => new X509Certificate(pem));
  return trustedRoots;
}

/** Object identifiers of RFC 5280: the extension that limits the use of a key, and its value for time stamps. */
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING_USAGE = '1.3.6.1.5.5.7.3.8';

/** Returns true if a certificate is only for time stamps and says so in a critical extension (RFC 3161, 2.3). */
export function isTimeStampCertificate({ keyUsage, raw }: X509Certificate): boolean {
  const { extensions = [] } = Certificate.fromBER(new Uint8Array(raw));
  const limits = extensions.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  return limits?.critical === true && keyUsage?.join() === TIME_STAMPING_USAGE;
}

/**
 * Returns true if a chain of certificates, all valid at `at` (UTC milliseconds), leads to a root certificate that Node.js
 * trusts. An issuer that is limited to other purposes than time stamps is not accepted. `others` are the certificates that may be part of the chain.
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
      issuer.ca && mayStamp(issuer) && last.checkIssued(issuer) && last.verify(issuer.publicKey);
    if (roots.some(issued)) return true;
    const issuer = others.find((each) => each.fingerprint256 !== last.fingerprint256 && issued(each));
    if (issuer === undefined) return false;
    last = issuer;
  }
  return false;
}

/** Returns true if a certificate may be used for time stamps. Without an extended key usage, it has no limits. */
const mayStamp = ({ keyUsage }: X509Certificate): boolean =>
  keyUsage === undefined || keyUsage.includes(TIME_STAMPING_USAGE);
