import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { prepareHome, resolveHome } from '../../src/host/home-folder.ts';
import { computeHomeId } from '../../src/host/keychain.ts';
import { createTemporaryFolder } from './test-host.ts';

const linux = { env: {}, platform: 'linux' as const, homedir: '/home/ann' };

test.each([
  ['Linux', linux, '/home/ann/.local/share/tieout'],
  ['Linux with XDG_DATA_HOME', { ...linux, env: { XDG_DATA_HOME: '/data' } }, '/data/tieout'],
  [
    'macOS',
    { ...linux, platform: 'darwin' as const, homedir: '/Users/ann' },
    '/Users/ann/Library/Application Support/Tieout',
  ],
  [
    'Windows',
    { env: { LOCALAPPDATA: 'C:\\L' }, platform: 'win32' as const, homedir: 'C:\\U' },
    'C:\\L\\Tieout',
  ],
])('uses the platform’s default data directory on %s', (_name, surroundings, place) => {
  expect(resolveHome(surroundings)).toBe(place);
});

test('prefers --home to TIEOUT_HOME, and TIEOUT_HOME to the default', () => {
  const surroundings = { ...linux, env: { TIEOUT_HOME: '/set' } };
  expect(resolveHome(surroundings)).toBe('/set');
  expect(resolveHome(surroundings, 'named')).toBe(resolve('named'));
});

test('creates the data directory with its folders, readable only by its owner', () => {
  const home = prepareHome(join(createTemporaryFolder(), 'a', 'b'));
  for (const folder of [home, join(home, 'logs'), join(home, 'sites')]) {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
});

test('resolves a link to the data directory', () => {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const [realFolder, link] = [prepareHome(join(folder, 'real')), prepareHome(join(folder, 'link'))];
  expect(computeHomeId(link)).toBe(computeHomeId(realFolder));
});
