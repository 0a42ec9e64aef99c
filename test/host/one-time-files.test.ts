import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createOneTimeFiles } from '../../src/host/one-time-files.ts';
import { createTemporaryFolder } from './test-host.ts';

function archive() {
  const folder = createTemporaryFolder();
  const home = join(folder, 'home');
  mkdirSync(join(home, 'sites', 'acme'), { recursive: true });
  writeFileSync(join(home, 'sites', 'acme', 'a.pdf'), '%PDF-1.7 a');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  return { folder, home };
}
const pdf = { path: 'sites/acme/a.pdf', name: 'a.pdf', type: 'application/pdf' };

test('offers a file in the data directory for one read', async () => {
  const { home } = archive();
  const blobs = createOneTimeFiles(home);
  const offered = blobs.offer(pdf);
  expect(offered).toMatchObject({ name: 'a.pdf', type: 'application/pdf', bytes: 10 });
  expect(offered.blob).toMatch(/^[\w-]{32}$/);
  const readFile = await blobs.take(offered.blob);
  expect(readFile).toMatchObject({ name: 'a.pdf', type: 'application/pdf', bytes: 10 });
  expect(readFile && (await text(readFile.stream))).toBe('%PDF-1.7 a');
  expect(await blobs.take(offered.blob)).toBeNull();
});

test('accepts an absolute path in the data directory', async () => {
  const { home } = archive();
  expect(createOneTimeFiles(home).offer({ ...pdf, path: join(home, pdf.path) }).bytes).toBe(10);
});

test('rejects every path outside the data directory', () => {
  const { folder, home } = archive();
  symlinkSync(join(folder, 'secret.txt'), join(home, 'link.pdf'));
  symlinkSync(folder, join(home, 'way-out'));
  const blobs = createOneTimeFiles(home);
  const attacks = [
    '../secret.txt',
    'sites/../../secret.txt',
    join(folder, 'secret.txt'),
    'link.pdf',
    'way-out/secret.txt',
    '/etc/passwd',
    '/dev/zero',
    '.',
    'sites',
    '',
    'sites/acme/a.pdf\0.txt',
    'sites/acme/none.pdf',
  ];
  for (const path of attacks) expect(() => blobs.offer({ ...pdf, path }), path).toThrow('does not exist');
});

test('does not return a file that was replaced after the offer', async () => {
  const { folder, home } = archive();
  const path = join(home, pdf.path);
  const blobs = createOneTimeFiles(home);
  const [first, second] = [blobs.offer(pdf), blobs.offer(pdf)];
  renameSync(path, join(home, 'was'));
  symlinkSync(join(folder, 'secret.txt'), path);
  expect(await blobs.take(first.blob)).toBeNull();
  renameSync(join(folder, 'secret.txt'), path);
  expect(await blobs.take(second.blob)).toBeNull();
});

test('an offer expires', async () => {
  const { home } = archive();
  let now = 0;
  const blobs = createOneTimeFiles(home, () => now);
  const offered = blobs.offer(pdf);
  now = 11 * 60_000;
  expect(await blobs.take(offered.blob)).toBeNull();
});

test('removes the oldest unread offers above the limit', async () => {
  const { home } = archive();
  const blobs = createOneTimeFiles(home);
  const first = blobs.offer(pdf);
  const laterOffers = Array.from({ length: 1000 }, () => blobs.offer(pdf));
  expect(await blobs.take(first.blob)).toBeNull();
  const last = await blobs.take(laterOffers.at(-1)?.blob ?? '');
  expect(last?.bytes).toBe(10);
  last?.stream.destroy();
});

test('serves an invalid media type as bytes', () => {
  const { home } = archive();
  const type = 'text/html\r\nset-cookie: a=b';
  expect(createOneTimeFiles(home).offer({ ...pdf, type }).type).toBe('application/octet-stream');
});

test('returns null for an unknown id', async () => {
  expect(await createOneTimeFiles(archive().home).take('guess')).toBeNull();
});
