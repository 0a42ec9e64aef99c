import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

const config = `
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical,CA:TRUE
[authority]
extendedKeyUsage = critical,timeStamping
[optional]
extendedKeyUsage = timeStamping
[limited]
basicConstraints = critical,CA:TRUE
extendedKeyUsage = serverAuth
[below]
extendedKeyUsage = critical,timeStamping
[mixed]
extendedKeyUsage = critical,timeStamping,emailProtection
[time_stamp]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_alg = sha256
`;

/** A time-stamp authority (RFC 3161) that uses OpenSSL. */
export interface TestAuthority {
  readonly folder: string;
  /** Returns the response (DER) to a request (DER). */
  answer(request: Buffer): Buffer;
  /** Returns a new certificate. `name` is its section in the configuration. */
  issue(name: string, issuer: string): X509Certificate;
  /** Serves responses over HTTP. Returns the address. */
  serve(listener?: RequestListener): Promise<string>;
  close(): void;
}

/** Creates an authority with a root certificate of its own. `key` is the type of its key in the words of OpenSSL. */
export function createTestAuthority(key: readonly string[] = ['rsa:2048']): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-time-stamp-'));
  const openssl = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'config'), config);
  writeFileSync(join(folder, 'serial'), '01');
  const newKey = (name: string) => [
    '-newkey',
    ...key,
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-config',
    'config',
  ];
  openssl('req', '-x509', ...newKey('root'), '-out', 'root.pem', '-subj', '/CN=Root', '-extensions', 'root');
  const read = (name: string) => new X509Certificate(readFileSync(join(folder, `${name}.pem`)));
  const issue = (name: string, issuer: string) => {
    openssl('req', ...newKey(name), '-out', `${name}.csr`, '-subj', `/O=Example/CN=Test ${name}`);
    const signing = ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-CAcreateserial'];
    const extensions = ['-extfile', 'config', '-extensions', name];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-out', `${name}.pem`, ...extensions);
    return read(name);
  };
  issue('authority', 'root');
  const servers: ReturnType<typeof createServer>[] = [];
  const answer = (request: Buffer) => {
    writeFileSync(join(folder, 'request'), request);
    const signing = ['-inkey', 'authority.key', '-signer', 'authority.pem'];
    const format = ['-config', 'config', '-section', 'time_stamp'];
    openssl('ts', '-reply', '-queryfile', 'request', ...signing, '-out', 'response', ...format);
    return readFileSync(join(folder, 'response'));
  };
  return {
    folder,
    answer,
    issue,
    async serve(listener) {
      const server = createServer(
        listener ??
          (async (request, response) => {
            response.setHeader('content-type', 'application/timestamp-reply');
            response.end(answer(await buffer(request)));
          }),
      ).listen(0, '127.0.0.1');
      servers.push(server);
      await once(server, 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/stamp`;
    },
    close() {
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
