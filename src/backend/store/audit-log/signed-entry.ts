import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { AuditReceipt } from '../../../contract/index.ts';
import { type CanonicalJson, canonicalJson } from '../../../domain/periods/index.ts';

/** Fields of an audit log entry that a person's signature covers. */
export interface SignableEntry {
  readonly action: string;
  readonly subject: string;
  /** Reason or comment of the person. Empty if there is none. */
  readonly reason: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Signs audit log entries on behalf of a person. */
export interface EntrySigner {
  readonly name: string;
  /** Public Ed25519 key: 32 bytes in hex. */
  readonly key: string;
  /** Returns the Ed25519 signature of a text: 64 bytes in hex. */
  sign(text: string): string;
}

/** Creates a signer from a private key in PKCS #8 (DER, base64). Throws if the key is invalid. */
export function createEntrySigner(name: string, privateKey: string): EntrySigner {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return {
    name,
    key: Buffer.from(x, 'base64url').toString('hex'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
  };
}

/**
 * Returns the detail of a signed entry: the given detail with the signer's name and key, the state of the log that the
 * signer saw, the time of signing (UTC milliseconds) and the signature.
 */
export function signEntryDetail(
  { action, subject, reason, detail }: SignableEntry,
  { signer, log, at }: { signer: EntrySigner; log: AuditReceipt; at: number },
): Record<string, unknown> {
  const signed = { ...detail, name: signer.name, key: signer.key, log, signed_at: at };
  const signature = signer.sign(formatSignedText({ action, subject, reason, detail: signed }));
  return { ...signed, signature };
}

/** Returns the text that a signature covers: canonical JSON (RFC 8785) of all fields except the signature. */
function formatSignedText({ action, subject, reason, detail }: SignableEntry): string {
  const { signature: _, ...signed } = detail;
  return canonicalJson({ action, subject, reason, detail: signed as CanonicalJson });
}

/** Signer, signed log state and time of a signed audit log entry. */
export interface EntrySignature {
  readonly name: string;
  readonly key: string;
  /** State of the audit log that the signer saw. */
  readonly log: AuditReceipt;
  /** Time of signing in UTC milliseconds by the signer's clock. */
  readonly signed_at: number;
}

/** Returns an entry's signature, `unsigned` if it has none, or `invalid` if the signature does not match the entry. */
export function verifyEntrySignature(entry: SignableEntry): EntrySignature | 'unsigned' | 'invalid' {
  const { name, key, log, signed_at, signature } = entry.detail;
  if (signature === undefined && (key === undefined || key === null)) return 'unsigned';
  if (typeof name !== 'string' || typeof signed_at !== 'number' || !isReceipt(log)) return 'invalid';
  if (typeof key !== 'string' || typeof signature !== 'string') return 'invalid';
  return isSignatureOf(entry, key, signature) ? { name, key, log, signed_at } : 'invalid';
}

function isSignatureOf(entry: SignableEntry, key: string, signature: string): boolean {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'hex').toString('base64url') };
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    return verify(null, Buffer.from(formatSignedText(entry)), publicKey, Buffer.from(signature, 'hex'));
  } catch {
    return false;
  }
}

function isReceipt(value: unknown): value is AuditReceipt {
  if (typeof value !== 'object' || value === null) return false;
  const { entries, hash } = value as Partial<AuditReceipt>;
  return Number.isSafeInteger(entries) && typeof hash === 'string';
}
