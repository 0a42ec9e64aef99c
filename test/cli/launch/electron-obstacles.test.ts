import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  findElectronObstacle,
  findProgramObstacle,
  type SystemInspector,
} from '../../../src/cli/launch/electron-obstacles.ts';
import { createElectronEnvironment, findElectronProgram } from '../../../src/cli/launch/electron-program.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';

const desktop = { env: { DISPLAY: ':0' }, platform: 'linux' as const, root: false };

test('Electron is not used without a display or as root', () => {
  expect(findElectronObstacle(desktop)).toBeNull();
  expect(findElectronObstacle({ ...desktop, env: {} })).toBe('no display is available');
  expect(findElectronObstacle({ ...desktop, env: { WAYLAND_DISPLAY: 'w' } })).toBeNull();
  expect(findElectronObstacle({ ...desktop, root: true })).toBe('Electron does not run as root');
  expect(findElectronObstacle({ env: {}, platform: 'darwin', root: true })).toBeNull();
});

test('ELECTRON_OVERRIDE_DIST_PATH names the folder of another build', () => {
  const folder = createTemporaryFolder();
  const env = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: folder };
  expect(findElectronObstacle({ ...desktop, env })).toBe('ELECTRON_OVERRIDE_DIST_PATH contains no Electron');
  writeFileSync(join(folder, 'electron'), '');
  expect(findElectronObstacle({ ...desktop, env })).toBeNull();
  expect(findElectronProgram(env)).toBe(join(folder, 'electron'));
});

const program = '/opt/electron/dist/electron';
const soundFacts: SystemInspector = {
  canExecute: () => true,
  stat: () => ({ uid: 1000, mode: 0o100755 }),
  readSetting: () => null,
  listLibraries: () => '\tlibc.so.6 => /lib/libc.so.6 (0x1)\n',
};
const find = (facts: Partial<SystemInspector>, platform: NodeJS.Platform = 'linux') =>
  findProgramObstacle(program, platform, { ...soundFacts, ...facts });

test('no obstacle is found on a usual desktop', () => {
  expect(find({})).toBeNull();
  expect(find({ canExecute: () => false }, 'win32')).toBeNull();
});

test.each([
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1\n'],
  ['/proc/sys/kernel/unprivileged_userns_clone', '0\n'],
  ['/proc/sys/user/max_user_namespaces', '0\n'],
])('%s = %s blocks the sandbox unless its helper is setuid root', (setting, value) => {
  const readSetting = (path: string) => (path === setting ? value : null);
  const obstacle = find({ readSetting });
  expect(obstacle).toContain('this system blocks Chromium’s sandbox');
  expect(obstacle).toContain('sudo chmod 4755 "/opt/electron/dist/chrome-sandbox"');
  expect(find({ readSetting, stat: () => null })).not.toBeNull();
  expect(find({ readSetting, stat: () => ({ uid: 0, mode: 0o100755 }) })).not.toBeNull();
  expect(find({ readSetting, stat: () => ({ uid: 1000, mode: 0o104755 }) })).not.toBeNull();
  expect(find({ readSetting, stat: () => ({ uid: 0, mode: 0o104755 }) })).toBeNull();
  expect(find({ readSetting }, 'darwin')).toBeNull();
});

test('missing shared libraries are named', () => {
  const listLibraries = () =>
    '\tlibnss3.so => not found\n\tlibc.so.6 => /lib/libc.so.6\n\tlibgbm.so.1 => not found\n';
  expect(find({ listLibraries })).toMatch(/^shared libraries are missing: libnss3\.so, libgbm\.so\.1\. /);
});

test('a program that cannot be executed is an obstacle on the real file system', () => {
  const file = join(createTemporaryFolder(), 'electron');
  writeFileSync(file, '#!/bin/sh\n');
  expect(findProgramObstacle(file, 'linux')).toContain('noexec');
  chmodSync(file, 0o755);
  expect(findProgramObstacle(file, 'linux') ?? '').not.toContain('noexec');
});

test('Electron does not inherit variables that change how it runs', () => {
  const env = { PATH: '/bin', DISPLAY: ':0', ELECTRON_ENABLE_LOGGING: '1' };
  const harmful = {
    ...{ ELECTRON_RUN_AS_NODE: '1', ELECTRON_DISABLE_SANDBOX: '1', ELECTRON_NO_ASAR: '1' },
    ...{ ELECTRON_OVERRIDE_DIST_PATH: '/x', NODE_OPTIONS: '--require ./hook.js' },
  };
  expect(createElectronEnvironment({ ...env, ...harmful })).toEqual(env);
});
