import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTemporaryFolder } from '../host/test-host.ts';

const script = fileURLToPath(new URL('../electron/index.ts', import.meta.url));

/** Runs `npm run test:electron` on a system whose Electron is in an empty folder. */
function testElectron(...args: string[]) {
  const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: createTemporaryFolder() };
  return spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' });
}

test('without Electron, `npm run test:electron` says why nothing is tested', () => {
  const { stdout, status } = testElectron();
  expect(stdout).toBe('Not run in Electron: Electron is not downloaded yet. Download it with npm start.\n');
  expect(status).toBe(0);
});

test('it fails without Electron if the tests are required', () => {
  const { stdout, status } = testElectron('--required');
  expect(stdout).toContain('Not run in Electron: ');
  expect(status).toBe(1);
});
