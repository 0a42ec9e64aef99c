import { generateKeyPairSync, sign } from 'node:crypto';

/** Encodes a DER value: tag, length, content. */
function encodeDer(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...items: Uint8Array[]) => encodeDer(0x30, ...items);
const ECDSA_SHA256 = sequence(encodeDer(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = Buffer.from('550403', 'hex');

/** Creates a self-signed certificate that no client trusts. */
export function createSelfSignedCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(
    encodeDer(0x31, sequence(encodeDer(0x06, COMMON_NAME), encodeDer(0x0c, Buffer.from('127.0.0.1')))),
  );
  const validity = sequence(
    encodeDer(0x17, Buffer.from('200101000000Z')),
    encodeDer(0x17, Buffer.from('490101000000Z')),
  );
  const content = sequence(
    encodeDer(0xa0, encodeDer(0x02, Buffer.from([2]))),
    encodeDer(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = encodeDer(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const encoded = sequence(content, ECDSA_SHA256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
