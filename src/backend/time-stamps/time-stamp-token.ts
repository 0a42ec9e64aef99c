import { createHash, randomBytes, timingSafeEqual, verify, X509Certificate } from 'node:crypto';
import { Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  MessageImprint,
  SignedData,
  type SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { isTimeStampCertificate, isTrustedCertificate } from './certificate-chain.ts';

/** Object identifiers: of RFC 5652 (CMS), RFC 3161, RFC 5035, RFC 5280 and NIST (hash functions). */
const oids = {
  signedData: '1.2.840.113549.1.7.2',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const;

const hashNames: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  [oids.sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Hash functions of the signature algorithms RSA (PKCS #1) and ECDSA. `null` means that of the digest. */
const signatureHashes: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.1': null,
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};

/** Statement of a valid time stamp. The authority confirms that the hash existed at the time. */
export interface TimeStampStatement {
  /** UTC milliseconds. */
  readonly at: number;
  /** Subject of the authority's certificate, for example `CN=Example TSA, O=Example`. */
  readonly authority: string;
  /** SHA-256 of the authority's certificate in hex. */
  readonly certificate: string;
  /** True if the certificate was issued, at the stamped time, under a root certificate that Node.js trusts. */
  readonly is_trusted: boolean;
}

/** Returns a time-stamp request (RFC 3161, DER) for a SHA-256 hash in hex, with the nonce that its response must repeat. */
export function createTimeStampRequest(hash: string): { readonly request: Buffer; readonly nonce: Buffer } {
  // A first byte between 1 and 127 keeps the encoding of the integer as it is.
  const nonce = Buffer.concat([Buffer.of(1), randomBytes(15)]);
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: oids.sha256 }),
      hashedMessage: new OctetString({ valueHex: Buffer.from(hash, 'hex') }),
    }),
    nonce: new Integer({ valueHex: nonce }),
    certReq: true,
  });
  return { request: Buffer.from(request.toSchema().toBER(false)), nonce };
}

/**
 * Verifies a time-stamp response (RFC 3161, DER) for a SHA-256 hash in hex, and its nonce if one is given. Throws an error
 * whose message completes the sentence “The time stamp …”.
 */
export function verifyTimeStampResponse(
  response: Uint8Array,
  hash: string,
  nonce?: Uint8Array,
): TimeStampStatement {
  const { signed, info, content } = parseResponse(response);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  assertThat(
    hashAlgorithm.algorithmId === oids.sha256 && isEqual(hashedMessage.getValue(), Buffer.from(hash, 'hex')),
    'is for a different hash',
  );
  if (nonce !== undefined)
    assertThat(isEqual(info.nonce?.valueBlock.valueHexView, nonce), 'does not belong to the request');
  const [signer, ...others] = signed.signerInfos;
  assertThat(signer !== undefined && others.length === 0, 'does not have exactly one signature');
  const certificates = findCertificates(signed);
  const certificate = findSigningCertificate(signer, certificates);
  verifySignature(signer, certificate, content);
  assertThat(isTimeStampCertificate(certificate), 'is not signed by a time-stamp authority');
  const at = info.genTime.getTime();
  assertThat(
    at >= certificate.validFromDate.getTime() && at <= certificate.validToDate.getTime(),
    'is dated outside the validity period of its certificate',
  );
  return {
    at,
    authority: certificate.subject.replaceAll('\n', ', '),
    certificate: createHash('sha256').update(certificate.raw).digest('hex'),
    is_trusted: isTrustedCertificate(certificate, certificates, at),
  };
}

function parseResponse(response: Uint8Array) {
  const { status, timeStampToken } = readOrThrow(() => TimeStampResp.fromBER(new Uint8Array(response)));
  // 0: granted, 1: granted with modifications (RFC 3161, 2.4.2).
  const reasons = status.statusStrings?.map((each) => each.valueBlock.value) ?? [];
  assertThat(status.status <= 1, ['was refused', ...reasons].join(': '));
  return readOrThrow(() => {
    const { contentType, content: signedContent } = timeStampToken ?? new ContentInfo();
    const signed = new SignedData({ schema: contentType === oids.signedData ? signedContent : null });
    const { eContent, eContentType } = signed.encapContentInfo;
    if (eContent === undefined || eContentType !== oids.timeStampInfo) throw new Error();
    const content = Buffer.from(eContent.getValue());
    return { signed, content, info: TSTInfo.fromBER(content) };
  });
}

function findCertificates({ certificates = [] }: SignedData): X509Certificate[] {
  return certificates.flatMap((each) =>
    each instanceof Certificate
      ? [readOrThrow(() => new X509Certificate(Buffer.from(each.toSchema(false).toBER(false))))]
      : [],
  );
}

/** Returns the certificate whose hash the signed attributes state (RFC 5035), so that no other can replace it. */
function findSigningCertificate(
  signer: SignerInfo,
  certificates: readonly X509Certificate[],
): X509Certificate {
  const v2 = findSignedAttribute(signer, oids.signingCertificateV2);
  const value = v2 ?? findSignedAttribute(signer, oids.signingCertificate);
  const { hash, stated } = readOrThrow(() => {
    const [first] = (value as Sequence).valueBlock.value as Sequence[];
    const [id] = first!.valueBlock.value as Sequence[];
    const [algorithm] = id!.valueBlock.value;
    const explicit = algorithm instanceof Sequence ? new AlgorithmIdentifier({ schema: algorithm }) : null;
    const digest = id!.valueBlock.value.find((each) => each instanceof OctetString) as OctetString;
    return {
      hash: explicit === null ? (v2 === null ? 'sha1' : 'sha256') : hashNames[explicit.algorithmId]!,
      stated: digest.getValue(),
    };
  });
  const found = certificates.find(({ raw }) => isEqual(stated, createHash(hash).update(raw).digest()));
  assertThat(found !== undefined, 'does not contain the certificate for its signature');
  return found;
}

/** Verifies the signature of the signed attributes, which must state the type and digest of the content (RFC 5652, 5.4). */
function verifySignature(signer: SignerInfo, { publicKey }: X509Certificate, content: Buffer): void {
  const { digestAlgorithm, signatureAlgorithm, signature, signedAttrs } = signer;
  const digestHash = hashNames[digestAlgorithm.algorithmId];
  const stated = signatureHashes[signatureAlgorithm.algorithmId];
  assertThat(digestHash !== undefined && stated !== undefined, 'uses an unknown signature algorithm');
  const type = findSignedAttribute(signer, oids.contentType);
  assertThat(
    type instanceof ObjectIdentifier && type.getValue() === oids.timeStampInfo,
    'has a signature that does not cover its content',
  );
  const digest = findSignedAttribute(signer, oids.messageDigest);
  assertThat(
    digest instanceof OctetString &&
      isEqual(digest.getValue(), createHash(digestHash).update(content).digest()),
    'was changed',
  );
  const signed = Buffer.from(signedAttrs!.encodedValue);
  assertThat(
    verify(stated ?? digestHash, signed, publicKey, Buffer.from(signature.getValue())),
    'does not match its signature',
  );
}

/** Returns the value of a signed attribute, or null if it is missing or there are several. */
function findSignedAttribute({ signedAttrs }: SignerInfo, type: string): object | null {
  const found = (signedAttrs?.attributes ?? []).filter((each) => each.type === type);
  return found.length === 1 && found[0]!.values.length === 1 ? (found[0]!.values[0] as object) : null;
}

function isEqual(a: ArrayBuffer | Uint8Array | undefined, b: Uint8Array): boolean {
  const bytes = new Uint8Array(a ?? []);
  return bytes.length === b.length && timingSafeEqual(bytes, b);
}

/** Runs a parser. Throws the same error for any data that is not encoded as the RFC requires. */
function readOrThrow<Value>(read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new Error('cannot be read');
  }
}

function assertThat(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}
