import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareCompileCacheFolder } from '../../../src/cli/launch/compile-cache.ts';
import { temporaryFolder } from '../run-tieout.ts';

const at = (homedir: string, env: Record<string, string> = {}) =>
  ({ env, platform: 'linux', homedir }) as const;
const getCacheFolder = (home: string) => join(home, '.cache', 'tieout', 'compiled');

test('the compile cache is in the user’s cache folder and not writable by others', () => {
  const home = temporaryFolder();
  expect(prepareCompileCacheFolder(at(home))).toBe(getCacheFolder(home));
  expect(statSync(getCacheFolder(home)).mode & 0o777).toBe(0o700);
  expect(prepareCompileCacheFolder(at(home))).toBe(getCacheFolder(home));
});

test('uses the cache folder from the environment if its path is absolute', () => {
  const [home, cache] = [temporaryFolder(), temporaryFolder()];
  expect(prepareCompileCacheFolder(at(home, { XDG_CACHE_HOME: cache }))).toBe(
    join(cache, 'tieout', 'compiled'),
  );
  expect(prepareCompileCacheFolder(at(home, { XDG_CACHE_HOME: 'cache' }))).toBe(getCacheFolder(home));
});

test.each([0o770, 0o707, 0o777])('a cache folder that others may write to (%o) is not used', (mode) => {
  const home = temporaryFolder();
  mkdirSync(getCacheFolder(home), { recursive: true });
  chmodSync(getCacheFolder(home), mode);
  expect(prepareCompileCacheFolder(at(home))).toBeNull();
});

test('a cache folder of another user is not used', () => {
  const home = temporaryFolder();
  const user = process.getuid?.() ?? 0;
  expect(prepareCompileCacheFolder(at(home), user)).not.toBeNull();
  expect(prepareCompileCacheFolder(at(home), user + 1)).toBeNull();
});

test('the command runs without a cache folder', () => {
  const home = temporaryFolder();
  writeFileSync(join(home, '.cache'), '');
  expect(prepareCompileCacheFolder(at(home))).toBeNull();
  expect(existsSync(getCacheFolder(home))).toBe(false);
});
