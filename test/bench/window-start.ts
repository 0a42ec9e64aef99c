import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { buildAppWindow } from '../../src/cli/launch/app-build.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { addSite, SITE } from '../backend/bank/bank-bench.ts';
import { launchChromium } from '../chromium.ts';
import { fillCheckedSite } from './checked-site.ts';
import { getRelativeSpread, getShortestTime, reportMeasurement } from './measure.ts';

/**
 * Measures `npm start` on a built checkout with a filled site, until the window in Chromium shows the overview's figures:
 * `node test/bench/window-start.ts [statements]`. The baseline is an empty page in the same Chromium.
 */
const STATEMENTS = Number(process.argv[2] ?? 5_000);
const TURNS = 5;

interface RunningServer {
  readonly url: string;
  readonly startedMs: number;
  stop(): Promise<void>;
}

async function startApp(home: string): Promise<RunningServer> {
  const begun = performance.now();
  const args = [join('src', 'cli', 'start.ts'), '--no-open', '--home', home];
  const child = spawn(process.execPath, args, { cwd: appRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await findUrl(child);
  return {
    url,
    startedMs: performance.now() - begun,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Returns the address that the app prints. */
async function findUrl({ stdout, stderr }: ChildProcess): Promise<string> {
  const find = async (input: NonNullable<ChildProcess['stdout']>) => {
    for await (const line of createInterface({ input })) {
      const url = /http:\/\/\S+/.exec(line)?.[0];
      if (url) return url;
    }
    throw new Error('No address was printed.');
  };
  if (!stdout || !stderr) throw new Error('The app has no output.');
  return await Promise.any([find(stdout), find(stderr)]);
}

/** Returns the time from the navigation until the page satisfies `isPainted` and has painted a frame, in ms. */
async function measurePaint(browser: Browser, url: string, isPainted: () => boolean): Promise<number> {
  const page: Page = await browser.newPage();
  try {
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(isPainted, null, { polling: 'raf' });
    return await page.evaluate(() => performance.now());
  } finally {
    await page.close();
  }
}

const showsText = () => document.body.textContent !== '';
const showsOverview = () =>
  document.querySelector('h1') !== null && document.querySelector('.starting, .skeleton') === null;

const home = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const emptyServer = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>Empty</title><p>Empty</p>');
}).listen(0, '127.0.0.1');
await once(emptyServer, 'listening');
const emptyUrl = `http://127.0.0.1:${(emptyServer.address() as AddressInfo).port}/`;
const browser = await launchChromium();

try {
  await buildAppWindow((line) => void process.stderr.write(`${line}\n`));
  addSite(home);
  for (const kind of ['books', 'cache'] as const) {
    const store = openStore(join(home, 'sites', SITE, `${kind}.db`), kind);
    if (kind === 'cache') fillCheckedSite(store, STATEMENTS);
    closeStore(store);
  }
  const painted: number[] = [];
  const started: number[] = [];
  const empty: number[] = [];
  // The first turn fills the caches and does not count.
  for (let turn = 0; turn <= TURNS; turn++) {
    const emptyMs = await measurePaint(browser, emptyUrl, showsText);
    const app = await startApp(home);
    const paintedMs = await measurePaint(browser, app.url, showsOverview);
    await app.stop();
    if (turn === 0) continue;
    empty.push(emptyMs);
    painted.push(paintedMs);
    started.push(app.startedMs + paintedMs);
  }
  for (const [name, times] of [
    ['window: first useful paint', painted],
    ['npm start to first useful paint', started],
  ] as const) {
    reportMeasurement(
      name,
      'ms',
      getShortestTime(times),
      getShortestTime(empty),
      TURNS,
      getRelativeSpread(times),
    );
  }
} finally {
  await browser.close();
  emptyServer.close();
  rmSync(home, { recursive: true, force: true });
}
