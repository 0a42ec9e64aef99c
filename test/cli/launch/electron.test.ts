import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  downloadElectron,
  findElectronObstacle,
  formatDownloadProgress,
} from '../../../src/cli/launch/electron.ts';
import type { DownloadProgress } from '../../../src/cli/launch/electron-download.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';

const displayEnvironment = { env: { DISPLAY: ':0' }, platform: 'linux' as const, root: false };

test('Electron is not used without a display or as root', () => {
  expect(findElectronObstacle(displayEnvironment)).toBeNull();
  expect(findElectronObstacle({ ...displayEnvironment, env: {} })).toBe('no display is available');
  expect(findElectronObstacle({ ...displayEnvironment, env: { WAYLAND_DISPLAY: 'w' } })).toBeNull();
  expect(findElectronObstacle({ ...displayEnvironment, root: true })).toBe('Electron does not run as root');
  expect(findElectronObstacle({ env: {}, platform: 'darwin', root: true })).toBeNull();
});

/** Attempts a download from a server with this request handler. */
async function download(answer: RequestListener, more: { skip?: AbortSignal; onProgress?: () => void } = {}) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const seen: (DownloadProgress | null)[] = [];
  const reason = await downloadElectron({
    env: {
      PATH: process.env['PATH'],
      ELECTRON_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      electron_config_cache: createTemporaryFolder(),
      TMPDIR: createTemporaryFolder(),
    },
    progress: (downloaded) => {
      seen.push(downloaded);
      more.onProgress?.();
    },
    skip: more.skip ?? new AbortController().signal,
  });
  return { reason, seen };
}

test('a failed download of Electron is reported in one line', async () => {
  const { reason } = await download((_request, response) => response.writeHead(404).end());
  expect(reason).toMatch(/^the download failed: Response code 404/);
  expect(reason).not.toContain('\n');
});

test('a stalled download of Electron is stopped after reporting its progress', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const half: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': 2_000_000 });
    response.write(Buffer.alloc(1_000_000));
  };
  const { reason, seen } = await download(half, { onProgress: () => vi.advanceTimersByTime(15_000) });
  expect(reason).toBe('the download stalled');
  expect(seen[0]).toMatchObject({ total: 2_000_000 });
});

test('the download of Electron is verified before it is unpacked', async () => {
  const { reason } = await download((_request, response) => response.end('not Electron'));
  expect(reason).toMatch(/^the download failed: .*hecksum/);
});

test('the download of Electron can be skipped', async () => {
  const skipping = new AbortController();
  const { reason } = await download(() => skipping.abort(), { skip: skipping.signal });
  expect(reason).toBe('its download was skipped');
});

test('the download shows its progress in megabytes, and in percent if the size is known', () => {
  expect(formatDownloadProgress({ transferred: 61_000_000, total: 122_000_000 })).toBe(
    'Downloading Electron: 61 MB of 122 MB (50 %)',
  );
  expect(formatDownloadProgress({ transferred: 61_000_000, total: null })).toBe(
    'Downloading Electron: 61 MB',
  );
});
