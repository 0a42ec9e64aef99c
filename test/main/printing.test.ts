import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOneTimeFiles } from '../../src/host/one-time-files.ts';
import {
  type PrintContext,
  parsePrintUrl,
  printOneTimeFile,
  restrictPrintSession,
} from '../../src/main/printing.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tieout-print-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function createPrintTest(print: (path: string) => Promise<boolean>) {
  const seen = { printed: [] as string[], opened: [] as string[], closed: 0, logged: [] as string[] };
  const blobs = createOneTimeFiles(home);
  const given: PrintContext = {
    blobs,
    folder: join(home, 'printing'),
    log: ({ msg }) => void seen.logged.push(msg),
    openWindow: () => ({
      print(path) {
        seen.printed.push(readFileSync(path, 'latin1'));
        return print(path);
      },
      close() {
        seen.closed += 1;
      },
    }),
    openPath: async (path) => {
      seen.opened.push(readFileSync(path, 'latin1'));
      return '';
    },
  };
  writeFileSync(join(home, 'a.pdf'), '%PDF the very bytes %%EOF');
  const { blob } = blobs.offer({ path: 'a.pdf', name: 'a.pdf', type: 'application/pdf' });
  return { given, seen, blob };
}

test('prints the exact bytes once and deletes the file', async () => {
  const { given, seen, blob } = createPrintTest(async () => true);
  await printOneTimeFile(blob, given);
  await printOneTimeFile(blob, given);
  expect(seen).toEqual({ printed: ['%PDF the very bytes %%EOF'], opened: [], closed: 1, logged: [] });
  expect(readdirSync(given.folder)).toEqual([]);
});

test('opens the system’s default program if printing fails', async () => {
  const failingPrinter = createPrintTest(async () => false);
  await printOneTimeFile(failingPrinter.blob, failingPrinter.given);
  expect(failingPrinter.seen.opened).toEqual(['%PDF the very bytes %%EOF']);
  const rejectingPrinter = createPrintTest(() => Promise.reject(new Error('no printer')));
  await printOneTimeFile(rejectingPrinter.blob, rejectingPrinter.given);
  expect(rejectingPrinter.seen).toMatchObject({
    opened: ['%PDF the very bytes %%EOF'],
    closed: 1,
    logged: [expect.any(String)],
  });
});

test('prints only offered PDFs', async () => {
  const { given, seen } = createPrintTest(async () => true);
  const { blob } = (given.blobs as ReturnType<typeof createOneTimeFiles>).offer({
    path: 'a.pdf',
    name: 'a.html',
    type: 'text/html',
  });
  await printOneTimeFile(blob, given);
  expect(seen.printed).toEqual([]);
  expect(existsSync(given.folder)).toBe(false);
});

test.each([
  ['app://tieout/print/abc-_9', 'abc-_9'],
  ['app://tieout/print/', null],
  ['app://tieout/print/a/b', null],
  ['app://tieout/print/..', null],
  ['app://tieout/print/a?b', null],
  ['app://tieout.evil/print/abc', null],
  ['app://user@tieout/print/abc', null],
  ['https://x/?app://tieout/print/abc', null],
  ['file:///print/abc', null],
])('parses %s as a request to print %s', (url, blob) => expect(parsePrintUrl(url)).toBe(blob));

test('denies network access and permissions while printing', () => {
  const answers: boolean[] = [];
  let ask: (url: string) => void = () => undefined;
  let request: unknown;
  let check: unknown;
  restrictPrintSession({
    setPermissionRequestHandler: (handler) => {
      request = handler;
    },
    setPermissionCheckHandler: (handler) => {
      check = handler;
    },
    webRequest: {
      onBeforeRequest: ((
        handler: (details: { url: string }, answer: (given: { cancel: boolean }) => void) => void,
      ) => {
        ask = (url) => handler({ url }, ({ cancel }) => answers.push(cancel));
      }) as never,
    },
  });
  for (const url of [
    'https://evil.test/',
    'http://127.0.0.1/',
    'ws://x/',
    'smb://x/y',
    'no address',
    'file:///a.pdf',
  ])
    ask(url);
  expect(answers).toEqual([true, true, true, true, true, false]);
  expect((check as () => boolean)()).toBe(false);
  const given: boolean[] = [];
  (request as (a: null, b: string, answer: (is: boolean) => void) => void)(null, 'media', (is) =>
    given.push(is),
  );
  expect(given).toEqual([false]);
});
