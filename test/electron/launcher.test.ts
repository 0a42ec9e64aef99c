import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findElectronProgram } from '../../src/cli/launch/electron-program.ts';
import { runElectron } from '../../src/cli/launch/run-electron.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import type { SelfCheckReport } from '../../src/host/index.ts';
import { createAppEnvironment, createTemporaryHome, openElectron } from './electron-test-app.ts';

const program = findElectronProgram(process.env) ?? '';

test('`npm start -- --check` ignores variables that would change Electron, and prints its report', async () => {
  const env = { ...createAppEnvironment(createTemporaryHome()), ELECTRON_RUN_AS_NODE: '1' };
  const start = join(appRoot, 'src', 'cli', 'start.ts');
  const child = spawn(process.execPath, [start, '--check'], { cwd: appRoot, env });
  let output = '';
  child.stdout.on('data', (text) => {
    output += String(text);
  });
  const [code] = await once(child, 'exit');
  const report = JSON.parse(output.trim().split('\n').at(-1) ?? '') as SelfCheckReport;
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(code).toBe(0);
});

test('the launcher learns that the page has connected, and ends the app on request', async () => {
  const stopController = new AbortController();
  const home = createTemporaryHome();
  const exit = runElectron({
    program,
    args: [],
    env: createAppEnvironment(home),
    stop: stopController.signal,
    print: () => undefined,
  });
  setTimeout(() => stopController.abort(), 15_000);
  expect(await exit).toMatchObject({ connected: true, reported: false });
});

test('a second start with a link opens its view in the running window', async () => {
  const { page, home } = await openElectron();
  const second = spawn(program, [appRoot, 'tieout://open/demo/webhooks'], {
    cwd: appRoot,
    env: createAppEnvironment(home),
  });
  const [code] = await once(second, 'exit');
  expect(code).toBe(0);
  await expect.poll(() => page.url()).toContain('/demo/webhooks');
});
