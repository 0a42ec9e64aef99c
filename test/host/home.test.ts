import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { prepareHome, resolveHome } from '../../src/host/home.ts';
import { homeId } from '../../src/host/keychain.ts';
import { temporaryFolder } from './temporary.ts';

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
])('on %s the data lies where the platform keeps it', (_name, surroundings, place) => {
  expect(resolveHome(surroundings)).toBe(place);
});

test('TIEOUT_HOME goes before the platform, and --home before both', () => {
  const surroundings = { ...linux, env: { TIEOUT_HOME: '/set' } };
  expect(resolveHome(surroundings)).toBe('/set');
  expect(resolveHome(surroundings, 'named')).toBe(resolve('named'));
});

test('the home is made with its folders, for its owner alone', () => {
  const home = prepareHome(join(temporaryFolder(), 'a', 'b'));
  for (const folder of [home, join(home, 'logs'), join(home, 'sites')]) {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
});

test('a home reached through a link is the same home', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const [real, link] = [prepareHome(join(folder, 'real')), prepareHome(join(folder, 'link'))];
  expect(homeId(link)).toBe(homeId(real));
});
