import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { appRoot } from '../../../src/cli/runtime/app-paths.ts';
import type { SelfCheckReport } from '../../../src/host/index.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';
import { requestUpgrade, sendGetRequest } from '../../web/test-web-server.ts';

/** A running `npm start`. */
interface Started {
  readonly child: ChildProcess;
  readonly home: string;
  /** Returns the output so far. */
  output(): string;
}

function start(args: readonly string[]): Started {
  const home = join(createTemporaryFolder(), 'home');
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...rest } = process.env;
  const child = spawn(process.execPath, [join(appRoot, 'src/cli/start.ts'), '--home', home, ...args], {
    env: rest,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return { child, home, output: () => output };
}

async function waitForAddress({ output }: Started): Promise<URL> {
  await expect.poll(output).toContain('Press Ctrl-C to stop');
  return new URL(/http:\/\/\S+/.exec(output())?.[0] ?? '');
}

test('npm start without a display explains why, prints the address and serves the window', async () => {
  const started = start([]);
  const { port, hash } = await waitForAddress(started);
  expect(started.output()).toContain('Opening in the browser instead of Electron: no display is available.');
  expect((await sendGetRequest(Number(port), '/')).text).toContain('<div id="root">');
  expect((await requestUpgrade(Number(port), hash.slice(3))).status).toBe(101);
});

test('the self-check prints a report even if Electron cannot be used', async () => {
  const started = start(['--check']);
  const [code] = await once(started.child, 'exit');
  const report = JSON.parse(started.output()) as SelfCheckReport;
  expect(code).toBe(1);
  expect(report).toMatchObject({
    ok: false,
    versions: { platform: process.platform, node: process.versions.node },
    checks: [{ name: 'Electron starts', ok: false, detail: 'no display is available' }],
  });
});

test('Ctrl-C stops the app immediately, and the log records the interruption', async () => {
  const started = start(['--browser', '--no-open']);
  await waitForAddress(started);
  started.child.kill('SIGINT');
  const [code] = await once(started.child, 'exit');
  expect(code).toBe(0);
  const log = readFileSync(join(started.home, 'logs', 'tieout.log'), 'utf8');
  expect(log).toContain('Closed.');
  expect(log).not.toContain('did not end in time');
});

test('--dev serves the window from source and proxies the backend', async () => {
  const started = start(['--dev']);
  const { origin, host, port, hash } = await waitForAddress(started);
  const index = await fetch(origin);
  expect(await index.text()).toContain('/main.tsx');
  const session = await fetch(`${origin}/session`, { headers: { authorization: `Bearer ${hash.slice(3)}` } });
  expect(await session.text()).toBe(hash.slice(3));
  const opened = await requestUpgrade(Number(port), hash.slice(3), { host, origin });
  expect(opened.status).toBe(101);
  expect((await fetch(`${origin}/session`)).status).toBe(401);
});

test('an unusable home is reported in one sentence with exit code 1', async () => {
  const child = spawn(process.execPath, [
    join(appRoot, 'src/cli/start.ts'),
    '--browser',
    '--home',
    '/dev/null/x',
  ]);
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(output).toMatch(/The data directory \/dev\/null\/x cannot be used: .*--home/);
  expect(output).not.toContain('    at ');
});
