import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DownloadProgress } from '../../../src/cli/launch/electron-download.ts';
import {
  deleteDownloadFailure,
  findRecentDownloadFailure,
  recordDownloadFailure,
} from '../../../src/cli/launch/electron-download-failure.ts';
import {
  createDownloadEnvironment,
  downloadElectron,
  ensureElectron,
  formatDownloadProgress,
} from '../../../src/cli/launch/electron-install.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';

/** Starts a server with this request handler. Returns an environment whose downloads come from the server. */
async function serveDownloads(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    PATH: process.env['PATH'],
    ELECTRON_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    electron_config_cache: createTemporaryFolder(),
    TMPDIR: createTemporaryFolder(),
  };
}

/** Attempts a download from a server with this request handler. */
async function download(
  answer: RequestListener,
  more: { skip?: AbortSignal; onProgress?: () => void; env?: Record<string, string> } = {},
) {
  const seen: (DownloadProgress | null)[] = [];
  const reason = await downloadElectron({
    env: { ...(await serveDownloads(answer)), ...more.env },
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

test('the download uses the proxy configured in npm', async () => {
  const requested: string[] = [];
  const proxy = createServer().listen(0, '127.0.0.1');
  proxy.on('connect', ({ url = '' }, socket) => {
    requested.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const server: string[] = [];
  await download(({ url = '' }) => server.push(url), {
    env: {
      npm_config_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`,
      ELECTRON_MIRROR: 'http://mirror.test/',
    },
  });
  expect(requested[0]).toBe('mirror.test:80');
  expect(server).toEqual([]);
});

test('proxy variables of the system take precedence over npm’s', () => {
  expect(createDownloadEnvironment({ PATH: '/bin' })).toEqual({ PATH: '/bin' });
  const env = { HTTPS_PROXY: 'http://a', npm_config_https_proxy: 'http://b', npm_config_noproxy: 'intranet' };
  expect(createDownloadEnvironment(env)).toMatchObject({
    ...{ ELECTRON_GET_USE_PROXY: 'true', HTTPS_PROXY: 'http://a', NO_PROXY: 'intranet' },
  });
});

test('a failed download is not tried again for a day', () => {
  const file = join(createTemporaryFolder(), 'new folder', 'failure.json');
  const failedAt = Date.UTC(2026, 2, 3, 9);
  const hour = 3_600_000;
  expect(findRecentDownloadFailure(file, failedAt)).toBeNull();
  recordDownloadFailure('the download stalled', file, failedAt);
  expect(findRecentDownloadFailure(file, failedAt + 23 * hour)).toMatch(
    /^the download stalled \(.*2026.*\)$/,
  );
  expect(findRecentDownloadFailure(file, failedAt + 24 * hour)).toBeNull();
  expect(findRecentDownloadFailure(file, failedAt - hour)).toBeNull();
  deleteDownloadFailure(file);
  expect(findRecentDownloadFailure(file, failedAt + hour)).toBeNull();
  writeFileSync(file, 'null');
  expect(findRecentDownloadFailure(file, failedAt)).toBeNull();
});

/** Starts the app on a computer without Electron, whose download server answers 503. */
async function createFailingStart() {
  let requests = 0;
  const env = await serveDownloads((_request, response) => {
    requests += 1;
    response.writeHead(503).end();
  });
  const failureFile = join(createTemporaryFolder(), 'failure.json');
  const start = async (options: { retry?: boolean; stop?: AbortSignal } = {}) => {
    const before = requests;
    const { retry = false, stop = new AbortController().signal } = options;
    // A folder without a program, in case Electron is installed.
    const overridden = { ...env, ELECTRON_OVERRIDE_DIST_PATH: createTemporaryFolder() };
    const reason = await ensureElectron({ env: overridden, stop, retry, failureFile });
    return { reason, requested: requests > before };
  };
  return { start, failureFile };
}

test('after a failed download, the next start does not wait for one unless the user requests it', async () => {
  const { start, failureFile } = await createFailingStart();
  expect(await start()).toEqual({ reason: expect.stringMatching(/Response code 503/), requested: true });
  expect(await start()).toEqual({
    reason: expect.stringMatching(
      /^the download failed: Response code 503.* To try the download again, run: npm start -- --electron$/,
    ),
    requested: false,
  });
  const { reason, at } = JSON.parse(readFileSync(failureFile, 'utf8')) as { reason: string; at: number };
  writeFileSync(failureFile, JSON.stringify({ reason, at: at - 25 * 3_600_000 }));
  expect(await start()).toMatchObject({ requested: true });
  expect(await start({ retry: true })).toMatchObject({ requested: true });
});

test('a download that the user stopped is not recorded as failed', async () => {
  const { start, failureFile } = await createFailingStart();
  expect(await start({ stop: AbortSignal.abort() })).toMatchObject({ reason: expect.any(String) as string });
  expect(existsSync(failureFile)).toBe(false);
});
