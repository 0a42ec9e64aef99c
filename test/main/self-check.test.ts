import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { type SelfCheck, startHost } from '../../src/host/index.ts';
import { runSelfCheck } from '../../src/main/self-check.ts';
import { serveWeb } from '../../src/web/index.ts';
import { createTemporaryFolder } from '../host/test-host.ts';
import { launchTestBrowser, type TestBrowser } from '../web/test-browser.ts';
import { createPreloadScript } from './preload-script.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

type Context = Parameters<typeof runSelfCheck>[0];

/** Runs the self-check on a real host with a window that passes, except where `changes` replaces a part. */
async function check(changes: Partial<Context> = {}) {
  const host = await startHost({ home: createTemporaryFolder(), version: '1.2.3' });
  onTestFinished(() => host.close());
  const saved = join(host.home, 'saved.pdf');
  const window: Context['window'] = {
    async runPageChecks(blobId) {
      const file = await host.blobs.take(blobId);
      writeFileSync(saved, readFileSync(join(host.home, 'self-check.pdf')));
      return [
        { name: 'a one-time file is read once', ok: file !== null, detail: '' },
        { name: 'a file is saved', ok: true, detail: saved },
      ];
    },
    killPage: () => Promise.resolve(),
  };
  return await runSelfCheck({
    home: host.home,
    ready: Promise.resolve(host),
    versions: { electron: '45.0.0' },
    startTimes: () => ({ connected_ms: 412, first_paint_ms: null }),
    window,
    printToPdf: async (path) => readFileSync(path),
    readClipboard: async () => 'Tieout self-check',
    timeoutMs: 20_000,
    ...changes,
  });
}

const failed = (checks: readonly SelfCheck[]) => checks.filter(({ ok }) => !ok);

test('the self-check reports every check and the versions, and restarts a killed thread', async () => {
  const report = await check();
  expect(failed(report.checks)).toEqual([]);
  expect(report).toMatchObject({
    ok: true,
    versions: { electron: '45.0.0' },
    start: { connected_ms: 412, first_paint_ms: null },
  });
  expect(report.checks.find(({ name }) => name === 'a killed worker thread restarts')?.detail).toMatch(
    /^SQLite 3/,
  );
});

test('a check that fails is reported, and the others still run', async () => {
  const report = await check({
    printToPdf: () => Promise.reject(new Error('The PDF was not shown within 20 s.')),
    readClipboard: async () => 'another text',
  });
  expect(report.ok).toBe(false);
  expect(failed(report.checks).map(({ name }) => name)).toEqual([
    'the copied text is on the clipboard',
    'a PDF is printed to a PDF',
  ]);
  expect(report.checks.at(-1)?.name).toBe('a killed page is loaded again');
});

test('an empty printed sheet fails the self-check', async () => {
  // The part of the sheet that Chromium 156 prints before it has loaded the PDF.
  const sheet = '%PDF-1.4\n3 0 obj\n<</Length 0>> stream\n\nendstream\nendobj\n%%EOF';
  const report = await check({ printToPdf: async () => Buffer.from(sheet) });
  expect(failed(report.checks)).toEqual([
    { name: 'a PDF is printed to a PDF', ok: false, detail: 'Error: The printed sheet is empty.' },
  ]);
});

test('a check that never ends is reported after the time limit', async () => {
  const report = await check({ printToPdf: () => new Promise(() => undefined), timeoutMs: 3_000 });
  expect(failed(report.checks)).toEqual([
    { name: 'time limit', ok: false, detail: 'The checks took longer than 3 s.' },
  ]);
});

test('a backend that does not start is reported within the time limit', async () => {
  const hanging = await check({ ready: new Promise(() => undefined), timeoutMs: 500 });
  expect(hanging).toMatchObject({ ok: false, checks: [{ name: 'time limit', ok: false }] });
  const error = new Error('The native module cannot be loaded.');
  const ready = Promise.reject(error);
  // The check starts its own backend first. Until then, nothing else awaits this promise.
  ready.catch(() => undefined);
  const failing = await check({ ready });
  expect(failing.checks[0]).toEqual({ name: 'the backend starts', ok: false, detail: String(error) });
  expect(failing.checks.find(({ name }) => name === 'a PDF is printed to a PDF')?.ok).toBe(true);
});

test('the page’s own checks pass in Chromium, except those that need the window of Electron', async () => {
  const host = await startHost({ home: createTemporaryFolder(), version: '1.2.3' });
  const web = await serveWeb(host, { rendererDir: join(appRoot, 'out', 'renderer') });
  onTestFinished(async () => {
    await web.close();
    await host.close();
  });
  const token = new URL(web.url).hash.slice('#t='.length);
  const pdf = readFileSync(join(appRoot, 'test', 'main', 'black-square.pdf'));
  writeFileSync(join(host.home, 'a.pdf'), pdf);
  const { blob } = host.blobs.offer({ path: 'a.pdf', name: 'a.pdf', type: 'application/pdf' });
  const preload = readFileSync(join(appRoot, 'out', 'preload', 'index.cjs'), 'utf8');
  const tab = await browser.open(
    `http://127.0.0.1:${web.port}/self-check.html#${blob}`,
    createPreloadScript(preload, token),
  );
  const checks = await tab.evaluate(() => Reflect.get(window, 'pageChecks') as Promise<SelfCheck[]>);
  expect(checks.slice(0, 3)).toMatchObject([
    { name: 'both ports, 1 MB each way', ok: true },
    { name: 'a one-time file is read once', ok: true, detail: `${pdf.length} bytes, then refused twice` },
    { name: 'pdf.js draws a page', ok: true },
  ]);
  expect(checks.find(({ name }) => name === 'a file is saved')).toMatchObject({
    ok: false,
    detail: 'Error: It took longer than 4 s.',
  });
});
