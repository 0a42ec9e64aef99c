import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatContentSecurityPolicy, openWindowAssets } from '../../src/host/index.ts';
import { createOneTimeFiles } from '../../src/host/one-time-files.ts';
import { createAppHandler } from '../../src/main/app-protocol.ts';
import { createTemporaryFolder } from '../host/test-host.ts';

/** Check 8: `app://tieout` serves the window's files and offered files, and nothing else. */
function app() {
  const folder = createTemporaryFolder();
  const dir = join(folder, 'renderer');
  const home = join(folder, 'home');
  mkdirSync(join(dir, 'assets'), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(dir, 'index.html'), '<!doctype html>');
  writeFileSync(join(dir, 'assets', 'main.js'), 'script');
  writeFileSync(join(dir, 'assets', 'main.css'), 'style');
  writeFileSync(join(dir, 'assets', 'program.exe'), 'MZ');
  writeFileSync(join(folder, 'secret.js'), 'secret');
  symlinkSync(join(folder, 'secret.js'), join(dir, 'assets', 'link.js'));
  symlinkSync(folder, join(dir, 'out'));
  writeFileSync(join(home, 'a.pdf'), '%PDF-');
  const blobs = createOneTimeFiles(home);
  const handler = createAppHandler({ pages: openWindowAssets(dir), blobs });
  const ask = (url: string, method = 'GET') => handler({ url, method });
  return { folder, ask, blobs };
}

test.each([
  ['app://tieout/', 'text/html; charset=utf-8', '<!doctype html>'],
  ['app://tieout/index.html', 'text/html; charset=utf-8', '<!doctype html>'],
  ['app://tieout/?a=b#c', 'text/html; charset=utf-8', '<!doctype html>'],
  ['app://tieout/assets/main.js', 'text/javascript; charset=utf-8', 'script'],
  ['app://tieout/assets/main.css?v=1', 'text/css; charset=utf-8', 'style'],
])('%s is served with its type', async (url, type, text) => {
  const answer = await app().ask(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(await answer.text()).toBe(text);
});

const refused = [
  'app://tieout/../secret.js',
  'app://tieout/assets/../../secret.js',
  'app://tieout/%2e%2e/secret.js',
  'app://tieout/assets/%2e%2e%2f%2e%2e%2fsecret.js',
  'app://tieout/..%5csecret.js',
  'app://tieout/%5c..%5csecret.js',
  'app://tieout/..\\secret.js',
  'app://tieout/assets/main.js%00.css',
  'app://tieout/assets/main.js\0',
  'app://tieout//etc/passwd',
  'app://tieout/etc/passwd',
  'app://tieout/C:/Windows/win.ini',
  'app://tieout/assets',
  'app://tieout/assets/',
  'app://tieout/assets/link.js',
  'app://tieout/out/secret.js',
  'app://tieout/assets/program.exe',
  'app://tieout/ASSETS/main.js',
  'app://tieout/blob/',
  'app://tieout/blob/guess',
  'app://tieout/blob/../index.html',
  'app://evil/index.html',
  // An origin of the same length as the app's.
  'app://attack/',
  'app://attack/assets/main.js',
  'app://tieout.evil/index.html',
  'file:///etc/passwd',
  '',
];

test.each(refused)('%j is not found', async (url) => {
  const answer = await app().ask(url);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('secret');
});

test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])('%s is refused', async (method) => {
  expect((await app().ask('app://tieout/', method)).status).toBe(405);
});

test('every response carries the policy and nosniff', async () => {
  const { ask, blobs } = app();
  const { blob } = blobs.offer({ path: 'a.pdf', name: 'a.pdf', type: 'application/pdf' });
  const answers = [
    await ask('app://tieout/'),
    await ask('app://tieout/assets/main.js'),
    await ask('app://tieout/none'),
    await ask('app://tieout/', 'POST'),
    await ask(`app://tieout/blob/${blob}`),
  ];
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toBe(formatContentSecurityPolicy());
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
  await answers.at(-1)?.body?.cancel();
});

test('an offered file can be read only once', async () => {
  const { ask, blobs } = app();
  const { blob } = blobs.offer({ path: 'a.pdf', name: 'a.pdf', type: 'application/pdf' });
  const first = await ask(`app://tieout/blob/${blob}`);
  expect(first.headers.get('content-type')).toBe('application/pdf');
  expect(await first.text()).toBe('%PDF-');
  expect((await ask(`app://tieout/blob/${blob}`)).status).toBe(404);
});
