import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow as RealWindow } from 'electron';
import { expect, test } from 'vitest';
import {
  createWindowOptions,
  readWindowPosition,
  trackWindowPosition,
} from '../../src/main/window-options.ts';
import { BrowserWindow } from '../doubles/electron.ts';
import { createTemporaryFolder } from '../host/test-host.ts';

const display = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
const bounds = { bounds: { x: 100, y: 50, width: 1200, height: 800 }, maximized: false };

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
  ['nothing was kept', ''],
  ['what was kept is no place', '{"bounds":null}'],
  ['it is smaller than it may be', JSON.stringify({ ...bounds, bounds: { ...bounds.bounds, width: 10 } })],
  ['it is no number', JSON.stringify({ ...bounds, bounds: { ...bounds.bounds, x: '1' } })],
  ['its display is gone', JSON.stringify({ ...bounds, bounds: { ...bounds.bounds, x: 4000 } })],
  ['only its edge would show', JSON.stringify({ ...bounds, bounds: { ...bounds.bounds, y: 1060 } })],
])('opens a window at the default position if %s', (_name, text) => {
  expect(readWindowPosition(writePositionFile(text), [display])).toBeNull();
  expect(readWindowPosition('/nowhere', [display])).toBeNull();
});

test('saves the position of a closed window and restores a maximized one', () => {
  const file = join(createTemporaryFolder(), 'window-position.json');
  const window = new BrowserWindow({});
  trackWindowPosition(window as unknown as RealWindow, file, { ...bounds, maximized: true });
  window.emit('ready-to-show');
  window.close();
  expect(window.calls).toEqual(['maximize', 'show']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    bounds: window.getNormalBounds(),
    maximized: false,
  });
});

test('matches the first background color to the system theme', () => {
  const given = { preload: 'p', icon: 'i', packaged: true, position: null };
  const [dark, light] = [true, false].map(
    (is) => createWindowOptions({ ...given, dark: is }).backgroundColor,
  );
  expect(dark).toMatch(/^#[0-3]/);
  expect(light).toMatch(/^#[e-f]/);
});
