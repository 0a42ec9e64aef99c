import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow as RealWindow } from 'electron';
import { beforeAll, expect, test } from 'vitest';
import {
  createWindowOptions,
  readWindowPosition,
  trackWindowPosition,
} from '../../src/main/window-options.ts';
import { app, BrowserWindow } from '../doubles/electron.ts';
import { createTemporaryFolder } from '../host/test-host.ts';

beforeAll(() => app.whenReady());

const display = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
const bounds = { bounds: { x: 100, y: 50, width: 1200, height: 800 }, maximized: false, fullScreen: false };

function writePositionFile(text: string): string {
  const file = join(createTemporaryFolder(), 'window-position.json');
  writeFileSync(file, text);
  return file;
}

test('opens a window at its saved position', () => {
  expect(readWindowPosition(writePositionFile(JSON.stringify(bounds)), [display])).toEqual(bounds);
  expect(
    createWindowOptions({ preload: 'p', icon: 'i', packaged: true, dark: true, position: bounds }),
  ).toMatchObject(bounds.bounds);
});

test.each([
  ['no position was saved', ''],
  ['the saved position is invalid', '{"bounds":null}'],
  ['it is below the minimum size', JSON.stringify({ ...bounds, bounds: { ...bounds.bounds, width: 10 } })],
  ['a coordinate is not a number', JSON.stringify({ ...bounds, bounds: { ...bounds.bounds, x: '1' } })],
  [
    'its display is no longer connected',
    JSON.stringify({ ...bounds, bounds: { ...bounds.bounds, x: 4000 } }),
  ],
  ['only its edge would be visible', JSON.stringify({ ...bounds, bounds: { ...bounds.bounds, y: 1060 } })],
])('opens a window at the default position if %s', (_name, text) => {
  expect(readWindowPosition(writePositionFile(text), [display])).toBeNull();
  expect(readWindowPosition('/nowhere', [display])).toBeNull();
});

test.each([
  ['maximized', { maximized: true, fullScreen: false }, ['maximize']],
  ['in full screen', { maximized: false, fullScreen: true }, ['setFullScreen']],
  ['at its saved bounds', { maximized: false, fullScreen: false }, []],
])('shows a window %s, but only after its first paint', (_name, state, calls) => {
  const window = new BrowserWindow({});
  const file = join(createTemporaryFolder(), 'window-position.json');
  trackWindowPosition(window as unknown as RealWindow, file, { ...bounds, ...state });
  expect(window.isVisible()).toBe(false);
  window.emit('ready-to-show');
  expect(window.isVisible()).toBe(true);
  expect(window.calls).toEqual([...calls, 'show']);
});

test('saves the bounds of a closed window, and whether it was in full screen', () => {
  const file = join(createTemporaryFolder(), 'window-position.json');
  const window = new BrowserWindow({});
  trackWindowPosition(window as unknown as RealWindow, file, null);
  window.setFullScreen(true);
  window.close();
  const saved = { bounds: window.getNormalBounds(), maximized: false, fullScreen: true };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(saved);
  expect(readWindowPosition(file, [display])).toEqual(saved);
});

test('matches the first background color to the system theme', () => {
  const given = { preload: 'p', icon: 'i', packaged: true, position: null };
  const [dark, light] = [true, false].map(
    (is) => createWindowOptions({ ...given, dark: is }).backgroundColor,
  );
  expect(dark).toMatch(/^#[0-3]/);
  expect(light).toMatch(/^#[e-f]/);
});
