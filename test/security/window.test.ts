import { expect, test } from 'vitest';
import { menuTemplate } from '../../src/main/menu.ts';
import { windowOptions } from '../../src/main/window.ts';

/** Check 1: a page that was taken over must find no way to Node, to files, or to another origin. */
const given = {
  preload: '/out/preload/index.cjs',
  icon: '/icon.png',
  packaged: true,
  dark: true,
  place: null,
};

test('the page is isolated, sandboxed and kept to the web’s own rules', () => {
  const { webPreferences = {} } = windowOptions(given);
  expect(webPreferences).toMatchObject({ contextIsolation: true, sandbox: true, webSecurity: true });
  for (const power of [
    'nodeIntegration',
    'nodeIntegrationInWorker',
    'nodeIntegrationInSubFrames',
    'webviewTag',
    'allowRunningInsecureContent',
    'experimentalFeatures',
    'navigateOnDragDrop',
  ] as const) {
    expect(webPreferences[power], power).toBe(false);
  }
  expect(webPreferences).not.toHaveProperty('enableBlinkFeatures');
  expect(webPreferences).not.toHaveProperty('additionalArguments');
});

test('the packaged app has no developer tools, in the window or in the menu', () => {
  expect(windowOptions(given).webPreferences?.devTools).toBe(false);
  expect(windowOptions({ ...given, packaged: false }).webPreferences?.devTools).toBe(true);
  for (const mac of [true, false]) {
    expect(JSON.stringify(menuTemplate({ mac, packaged: true }))).not.toMatch(/devtools|reload|viewMenu/i);
    expect(JSON.stringify(menuTemplate({ mac, packaged: false }))).toMatch(/devtools/i);
  }
});
