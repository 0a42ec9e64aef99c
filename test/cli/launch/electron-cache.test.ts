import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findElectronPackage } from '../../../src/cli/launch/electron-program.ts';
import { writeZip } from '../../backend/bagit/write-zip.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';

const script = fileURLToPath(new URL('../../../src/cli/launch/electron-download.ts', import.meta.url));
const PROGRAM = '#!/bin/sh\n';

/** Returns the path of an archive like that of Electron, with a small program in it. */
function createArchive(): string {
  const path = join(createTemporaryFolder(), 'electron.zip');
  writeZip(path, [
    { name: 'electron', text: PROGRAM },
    { name: 'version', text: '45.0.0' },
  ]);
  return path;
}

/** Returns a folder like that of the package `electron`, for which only this archive is genuine. */
function createElectronPackage(archive: string): string {
  const folder = createTemporaryFolder();
  const original = findElectronPackage() ?? '';
  const name = `electron-v45.0.0-${process.platform}-${process.arch}.zip`;
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(join(folder, 'package.json'), '{ "name": "electron", "version": "45.0.0" }');
  writeFileSync(join(folder, 'checksums.json'), JSON.stringify({ [name]: digest }));
  copyFileSync(join(original, 'install.js'), join(folder, 'install.js'));
  const { resolve } = createRequire(join(original, 'package.json'));
  for (const library of ['@electron/get', '@electron-internal/extract-zip']) {
    const link = join(folder, 'node_modules', library);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(library).split(library)[0] + library, link);
  }
  return folder;
}

/** Downloads Electron into this package. Returns what is installed, or what the download printed. */
async function install(folder: string, env: Record<string, string>): Promise<string> {
  const cache = env['electron_config_cache'] ?? '';
  const child = fork(script, [folder, cache], {
    env: { PATH: process.env['PATH'], TMPDIR: createTemporaryFolder(), ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? readFileSync(join(folder, 'dist', 'electron'), 'utf8') : printed;
}

test('Electron comes from the mirror, and the second time from the cache', async () => {
  const archive = createArchive();
  const requested: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requested.push(url);
    response.end(readFileSync(archive));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const env = {
    ELECTRON_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror/`,
    electron_config_cache: createTemporaryFolder(),
  };
  expect(await install(createElectronPackage(archive), env)).toBe(PROGRAM);
  const name = `electron-v45.0.0-${process.platform}-${process.arch}.zip`;
  expect(requested).toEqual([`/mirror/v45.0.0/${name}`]);

  expect(await install(createElectronPackage(archive), env)).toBe(PROGRAM);
  expect(requested, 'no second download').toHaveLength(1);

  const elsewhere = { ...env, electron_config_cache: createTemporaryFolder() };
  expect(await install(createElectronPackage(archive), elsewhere)).toBe(PROGRAM);
  expect(requested, 'another cache').toHaveLength(2);
});
