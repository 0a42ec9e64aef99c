import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  isTimeStampCertificate,
  isTrustedCertificate,
} from '../../../src/backend/time-stamps/certificate-chain.ts';
import {
  createTimeStampRequest,
  verifyTimeStampResponse,
} from '../../../src/backend/time-stamps/time-stamp-token.ts';
import { createTestAuthority } from './time-stamp-authority.ts';

const hash = createHash('sha256').update('a receipt').digest('hex');
const otherHash = createHash('sha256').update('another receipt').digest('hex');
const authority = createTestAuthority();
afterAll(() => authority.close());

const readCertificate = (name: string) => new X509Certificate(readFileSync(join(authority.folder, name)));

describe.each([
  ['RSA', ['rsa:2048']],
  ['ECDSA', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
])('a time stamp signed with %s', (_name, key) => {
  const own = createTestAuthority(key);
  afterAll(() => own.close());

  test('states when the hash existed, and according to whom', () => {
    const { request, nonce } = createTimeStampRequest(hash);
    const response = own.answer(request);
    const certificate = new X509Certificate(readFileSync(join(own.folder, 'authority.pem')));
    const statement = verifyTimeStampResponse(response, hash, nonce);
    expect(statement).toEqual({
      at: expect.closeTo(Date.now(), -5) as number,
      authority: 'O=Example, CN=Test authority',
      certificate: createHash('sha256').update(certificate.raw).digest('hex'),
      is_trusted: false,
    });
    expect(verifyTimeStampResponse(response, hash), 'later, without the nonce').toEqual(statement);
  });

  test('is also accepted by OpenSSL', () => {
    writeFileSync(join(own.folder, 'stamp.tsr'), own.answer(createTimeStampRequest(hash).request));
    const options = ['ts', '-verify', '-digest', hash, '-in', 'stamp.tsr', '-CAfile', 'root.pem'];
    expect(execFileSync('openssl', options, { cwd: own.folder, encoding: 'utf8', stdio: 'pipe' })).toMatch(
      'OK',
    );
  });
});

test('a time stamp of another hash or of another request is refused', () => {
  const { request } = createTimeStampRequest(hash);
  const response = authority.answer(request);
  expect(() => verifyTimeStampResponse(response, otherHash)).toThrow('is for a different hash');
  const { nonce } = createTimeStampRequest(hash);
  expect(() => verifyTimeStampResponse(response, hash, nonce)).toThrow('does not belong to the request');
});

test('a refusal states the authority’s reason', () => {
  const { request } = createTimeStampRequest(hash);
  // The last byte of the hash function's identifier: SHA-512 instead of SHA-256, with a hash that is too short for it.
  const at = request.indexOf(Buffer.from('608648016503040201', 'hex')) + 8;
  request[at] = 3;
  const response = authority.answer(request);
  expect(() => verifyTimeStampResponse(response, hash)).toThrow(/^was refused/);
});

test('a changed byte never changes what a time stamp states', () => {
  const { request, nonce } = createTimeStampRequest(hash);
  const response = authority.answer(request);
  const statement = verifyTimeStampResponse(response, hash, nonce);
  const problems = new Set<string>();
  for (let at = 0; at < response.length; at += 3) {
    const changed = Buffer.from(response);
    changed[at]! ^= 1 << (at % 8);
    try {
      const stated = verifyTimeStampResponse(changed, hash, nonce);
      expect(stated, `byte ${at}`).toEqual(statement);
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
      problems.add(error.message);
    }
  }
  expect([...problems]).toEqual(
    expect.arrayContaining(['does not match its signature', 'was changed', 'cannot be read']),
  );
});

test('anything that is no time stamp cannot be read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(() => verifyTimeStampResponse(bytes, hash)).toThrow('cannot be read');
    }),
  );
  const nested = Buffer.concat([...Array(8000)].map(() => Buffer.of(0x30, 0x80)));
  expect(() => verifyTimeStampResponse(nested, hash)).toThrow('cannot be read');
});

test('a certificate is trusted if a chain of valid certificates leads to a trusted root', () => {
  const certificate = readCertificate('authority.pem');
  const root = readCertificate('root.pem');
  const now = Date.now();
  const trusted = [root];
  expect(isTrustedCertificate(certificate, [], now, trusted)).toBe(true);
  expect(isTrustedCertificate(certificate, [root], now)).toBe(false);
  expect(isTrustedCertificate(certificate, [], now + 40 * 86_400_000, trusted), 'expired').toBe(false);
  expect(isTrustedCertificate(certificate, [], now, [certificate]), 'itself').toBe(false);
});

test('an issuer that is limited to other purposes than time stamps is not trusted', () => {
  const root = readCertificate('root.pem');
  const limited = authority.issue('limited', 'root');
  const below = authority.issue('below', 'limited');
  const isTrusted = (certificate: X509Certificate) =>
    isTrustedCertificate(certificate, [limited, below], Date.now(), [root]);
  expect(isTrusted(limited), 'the limited issuer itself').toBe(true);
  expect(isTrusted(below)).toBe(false);
});

test('only a certificate that is for time stamps and for nothing else signs time stamps', () => {
  expect(isTimeStampCertificate(readCertificate('authority.pem'))).toBe(true);
  for (const name of ['mixed', 'optional', 'limited'])
    expect(isTimeStampCertificate(authority.issue(name, 'root')), name).toBe(false);
});
