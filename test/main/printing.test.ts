import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import {
  restrictPrintNavigation,
  restrictPrintSession,
  waitForPdfFrame,
} from '../../src/main/print-window.ts';
import { createEvent, Session } from '../doubles/electron.ts';

const PATH = '/home/ada/printing/a b.pdf';
const FILE = 'file:///home/ada/printing/a%20b.pdf';
const VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html';

function createContents() {
  const contents = Object.assign(new EventEmitter(), {
    mainFrame: { framesInSubtree: [] as { url: string; parent: object | null }[] },
    openHandler: null as ((details: { url: string }) => unknown) | null,
    setWindowOpenHandler(handler: (details: { url: string }) => unknown) {
      contents.openHandler = handler;
    },
  });
  return contents;
}

test.each([
  [FILE, true, true],
  [FILE, false, true],
  [VIEWER, false, true],
  ['about:blank', false, true],
  // Only frames may show the viewer.
  [VIEWER, true, false],
  ['chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/index.html', false, false],
  ['file:///home/ada/printing/other.pdf', true, false],
  ['file:///etc/passwd', false, false],
  ['https://evil.test/', false, false],
  ['app://tieout/', true, false],
])('while printing, a navigation to %s (main frame: %s) is allowed: %s', (url, isMainFrame, isAllowed) => {
  const contents = createContents();
  restrictPrintNavigation(contents as never, PATH);
  const details = createEvent({ url, isMainFrame });
  contents.emit('will-frame-navigate', details);
  expect(details.prevented).toBe(!isAllowed);
  expect(contents.openHandler?.({ url })).toEqual({ action: 'deny' });
});

test('a PDF that is not shown in time is an error', async () => {
  vi.useFakeTimers();
  const contents = createContents();
  const shown = waitForPdfFrame(contents as never, PATH, 20_000);
  const outcome = expect(shown).rejects.toThrow('The PDF was not shown within 20 s.');
  // The page and the viewer have loaded, but not the PDF.
  contents.mainFrame.framesInSubtree.push({ url: FILE, parent: null }, { url: VIEWER, parent: {} });
  contents.emit('did-frame-finish-load', {}, true);
  contents.emit('did-frame-finish-load', {}, false);
  vi.advanceTimersByTime(20_000);
  vi.useRealTimers();
  await outcome;
  expect(contents.eventNames()).toEqual([]);
});

test('a page that fails to load is an error at once', async () => {
  const contents = createContents();
  const shown = waitForPdfFrame(contents as never, PATH, 20_000);
  contents.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', FILE, true);
  await expect(shown).rejects.toThrow('ERR_FILE_NOT_FOUND (-6)');
});

test('denies network access and permissions while printing', () => {
  const session = new Session();
  restrictPrintSession(session as never);
  const isCanceled = (url: string) => {
    let canceled: boolean | undefined;
    session.beforeRequest?.({ url }, ({ cancel }) => {
      canceled = cancel;
    });
    return canceled;
  };
  for (const url of ['https://evil.test/', 'http://127.0.0.1/', 'ws://x/', 'smb://x/y', 'no address']) {
    expect(isCanceled(url), url).toBe(true);
  }
  expect(isCanceled(FILE)).toBe(false);
  expect((session.check as () => boolean)()).toBe(false);
  const answers: boolean[] = [];
  session.request?.(null as never, 'media', (answer) => answers.push(answer), {} as never);
  expect(answers).toEqual([false]);
});
