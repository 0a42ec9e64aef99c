import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fetchPublic, isPublicAddress, requirePublicHost } from '../../../src/billing/http/public-network.ts';

test.each([
  ...['8.8.8.8', '11.0.0.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '192.169.1.1'],
  ...['2606:4700:4700::1111', '2a00:1450::5', '::ffff:8.8.8.8'],
])('%s is public', (ip) => expect(isPublicAddress(ip)).toBe(true));

test.each([
  ...['127.0.0.1', '127.9.8.7', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.4.5'],
  ...['169.254.169.254', '100.64.0.1', '198.19.0.1', '224.0.0.251', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fec0::1', 'fd12:3456::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:a00:1'],
  ...['::7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'localhost', ''],
])('“%s” is not public', (ip) => expect(isPublicAddress(ip)).toBe(false));

test.each([
  ...['https://localhost/', 'https://127.1/', 'https://2130706433:8443/', 'https://0x7f.0.0.1/'],
  ...['https://[::1]/', 'https://[::ffff:192.168.0.1]/', 'https://[fd00::1]:444/'],
])('the host of %s is refused', async (url) => {
  await expect(requirePublicHost(new URL(url).hostname)).rejects.toMatchObject({ code: 'validation' });
});

test('a public host passes', async () => {
  await expect(requirePublicHost('[2606:4700:4700::1111]')).resolves.toBeUndefined();
});

test('a name that resolves to this computer when connecting receives no request', async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  await expect(fetchPublic(url)).rejects.toThrow();
  expect(requests).toBe(0);
  expect((await fetch(url)).status).toBe(200);
});
