import { readFileSync } from 'node:fs';
import type { Session as RealSession, WebContents } from 'electron';
import { expect, test } from 'vitest';
import { restrictPermissions } from '../../src/main/restrict-permissions.ts';
import { createEvent, Session } from '../doubles/electron.ts';

/** Check 6: tries every permission named in Electron's types, so that new ones are also tested. */
const types = readFileSync(new URL('../../node_modules/electron/electron.d.ts', import.meta.url), 'utf8');
const named = ['setPermissionRequestHandler', 'setPermissionCheckHandler'].flatMap((method) => {
  const declaration = new RegExp(`${method}\\(handler: .*?permission: ([^,]+),`).exec(types)?.[1] ?? '';
  return [...declaration.matchAll(/'([\w-]+)'/g)].map(([, name]) => name ?? '');
});
const names = [...new Set(named)] as Parameters<NonNullable<Session['check']>>[1][];
const page = 'app://tieout/';

function guarded() {
  const session = new Session();
  restrictPermissions(session as unknown as RealSession);
  return {
    session,
    request(name: (typeof names)[number], requestingUrl = page, isMainFrame = true): boolean | undefined {
      let answer: boolean | undefined;
      const details = { requestingUrl, isMainFrame } as Parameters<NonNullable<Session['request']>>[3];
      session.request?.({} as WebContents, name, (granted) => (answer = granted), details);
      return answer;
    },
    check: (name: (typeof names)[number], origin = page) =>
      session.check?.(null, name, origin, { isMainFrame: true, requestingUrl: page }),
    device: () => session.device?.({ deviceType: 'hid', origin: page, device: {} as Electron.HIDDevice }),
    canceled(url: string): boolean | undefined {
      let cancel: boolean | undefined;
      session.beforeRequest?.({ url }, (response) => (cancel = response.cancel));
      return cancel;
    },
  };
}

test('Electron’s types name the permissions', () => {
  expect(names.length).toBeGreaterThan(40);
  expect(names).toContain('clipboard-sanitized-write');
});

test('every permission except writing text to the clipboard is denied, on request and on check', () => {
  const { request, check } = guarded();
  const granted = names.filter((name) => request(name) !== false || check(name) !== false);
  expect(granted).toEqual(['clipboard-sanitized-write']);
  expect(request('clipboard-sanitized-write')).toBe(true);
  expect(check('clipboard-sanitized-write')).toBe(true);
  expect(check('clipboard-sanitized-write', 'app://tieout')).toBe(true);
});

test('a foreign page or a frame gets no permission', () => {
  const { request, check } = guarded();
  for (const url of ['https://evil.test/', 'app://tieout.evil/', 'about:srcdoc', '']) {
    expect(request('clipboard-sanitized-write', url), url).toBe(false);
    expect(check('clipboard-sanitized-write', url), url).toBe(false);
  }
  expect(request('clipboard-sanitized-write', page, false)).toBe(false);
});

test('no device access is granted', () => {
  expect(guarded().device()).toBe(false);
});

test('a download that the page starts is canceled, because the window saves files', () => {
  const download = createEvent();
  guarded().session.emit('will-download', download);
  expect(download.prevented).toBe(true);
});

test('the window loads nothing from the network or the disk', () => {
  const { canceled } = guarded();
  for (const url of [
    'https://evil.test/x.js',
    'http://127.0.0.1:1/',
    'ws://evil.test/',
    'file:///etc/passwd',
    'ftp://e/',
    '',
  ]) {
    expect(canceled(url), url).toBe(true);
  }
  for (const url of ['app://tieout/assets/x.js', 'data:image/png;base64,AA', 'blob:app://tieout/1']) {
    expect(canceled(url), url).toBe(false);
  }
});
