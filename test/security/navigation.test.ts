import type { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { beforeAll, expect, test } from 'vitest';
import { isAppUrl } from '../../src/main/app-origin.ts';
import { openLinkInBrowser } from '../../src/main/open-link.ts';
import { restrictNavigation } from '../../src/main/restrict-navigation.ts';
import { app, BrowserWindow, createEvent } from '../doubles/electron.ts';

beforeAll(() => app.whenReady());

/** Checks 3 to 5: the page cannot be navigated elsewhere and cannot start programs through the system's browser. */
const attacks = [
  'app://tieout.evil/',
  'app://tieout',
  'app://tieout:80/',
  'app://user@tieout/',
  'app://user:word@tieout/',
  'app://tieout@evil/',
  'app://tieout%2eevil/',
  'app://evil/tieout/',
  'app:///tieout/',
  'app:tieout/',
  'APP://TIEOUT/',
  'App://tieout/',
  'app://Tieout/',
  ' app://tieout/',
  'https://evil.test/?app://tieout/',
  'https://app://tieout/',
  'https://tieout/',
  'file:///etc/passwd',
  'file://tieout/index.html',
  'javascript:location="app://tieout/"',
  'data:text/html,app://tieout/',
  'blob:app://tieout/6f6f',
  'about:blank',
  'about:srcdoc',
  'view-source:app://tieout/',
  'devtools://devtools/bundled/inspector.html',
  '',
];
const own = ['app://tieout/', 'app://tieout/index.html?x=1#statements'];

test.each(attacks)('%j is not the app’s own address', (url) => {
  expect(isAppUrl(url)).toBe(false);
});

test.each(own)('%s is', (url) => {
  expect(isAppUrl(url)).toBe(true);
});

function guarded() {
  const window = new BrowserWindow({});
  const linked: string[] = [];
  let returns = 0;
  restrictNavigation(window.webContents as unknown as WebContents, {
    openLink: (url) => void linked.push(url),
    returnToStart: () => {
      returns += 1;
    },
  });
  return { contents: window.webContents, linked, countReturns: () => returns };
}

function prevented(contents: EventEmitter, name: string, details: object): boolean {
  const made = createEvent(details);
  contents.emit(name, made);
  return made.prevented;
}

test.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
  '%s to a foreign address is prevented',
  (name) => {
    const { contents } = guarded();
    for (const url of attacks) {
      expect(prevented(contents, name, { url, isMainFrame: true }), url).toBe(true);
    }
    for (const url of own) expect(prevented(contents, name, { url, isMainFrame: true }), url).toBe(false);
  },
);

test('a frame navigates nowhere', () => {
  const { contents } = guarded();
  const frame = (url: string) => prevented(contents, 'will-frame-navigate', { url, isMainFrame: false });
  for (const url of ['https://evil.test/', 'file:///etc/passwd', 'about:blank', 'data:text/html,x']) {
    expect(frame(url), url).toBe(true);
  }
});

test('the start page is loaded again after every navigation that cannot be prevented', () => {
  const { contents, countReturns } = guarded();
  for (const url of own) contents.emit('did-navigate', createEvent(), url);
  expect(countReturns()).toBe(0);
  for (const url of attacks) contents.emit('did-navigate', createEvent(), url);
  expect(countReturns()).toBe(attacks.length);
});

test('no page embeds a web view', () => {
  expect(prevented(guarded().contents, 'will-attach-webview', {})).toBe(true);
});

test('every new window is denied, and its URL is handled like a link', () => {
  const { contents, linked } = guarded();
  for (const url of [...attacks, ...own, 'https://example.test/']) {
    expect(contents.openHandler?.({ url })).toEqual({ action: 'deny' });
  }
  expect(linked).toHaveLength(attacks.length + own.length + 1);
});

async function opened(url: string, agrees = true): Promise<string[]> {
  const out: string[] = [];
  await openLinkInBrowser(url, {
    confirm: async () => agrees,
    openExternal: async (link) => void out.push(link),
  });
  return out;
}

test.each([
  ...attacks.filter((url) => !url.startsWith('https:')),
  'http://example.test/',
  'file:///C:/Windows/System32/calc.exe',
  'smb://evil.test/share',
  'ms-msdt:/id PCWDiagnostic',
  'search-ms:query=x',
  '\\\\evil.test\\share',
  '//evil.test/share',
  'vbscript:msgbox(1)',
  'mailto:a@b.test',
  'ftp://evil.test/',
  'https://user:word@evil.test/',
  'https://:word@evil.test/',
])('the system is never asked to open %j', async (url) => {
  expect(await opened(url)).toEqual([]);
});

test('an https link is opened as parsed, after the user has agreed to its host', async () => {
  expect(await opened('HTTPS://Example.Test/a b')).toEqual(['https://example.test/a%20b']);
  expect(await opened('https://example.test/', false)).toEqual([]);
  let shown = '';
  await openLinkInBrowser('https://bank.test@evil.test:444/', {
    confirm: async (host) => {
      shown = host;
      return true;
    },
    openExternal: async () => undefined,
  });
  expect(shown).toBe('');
  await openLinkInBrowser('https://evil.test:444/bank.test', {
    confirm: async (host) => {
      shown = host;
      return false;
    },
    openExternal: async () => undefined,
  });
  expect(shown).toBe('evil.test:444');
});
