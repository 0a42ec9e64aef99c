import { expect, test } from 'vitest';
import { createMenuTemplate } from '../../src/main/menu.ts';
import { createWindowOptions } from '../../src/main/window-options.ts';

/** Check 1: a compromised page has no access to Node, files or another origin. */
const given = {
  preload: '/out/preload/index.cjs',
  icon: '/icon.png',
  packaged: true,
  dark: true,
  position: null,
};

test('the page is isolated and sandboxed, with web security enabled', () => {
  const { webPreferences = {} } = createWindowOptions(given);
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
  expect(createWindowOptions(given).webPreferences?.devTools).toBe(false);
  expect(createWindowOptions({ ...given, packaged: false }).webPreferences?.devTools).toBe(true);
  const menu = { commands: [], run: () => undefined, openWindow: () => undefined };
  for (const mac of [true, false]) {
    expect(JSON.stringify(createMenuTemplate({ ...menu, mac, packaged: true }))).not.toMatch(
      /devtools|reload|viewMenu/i,
    );
    expect(JSON.stringify(createMenuTemplate({ ...menu, mac, packaged: false }))).toMatch(/devtools/i);
  }
});
