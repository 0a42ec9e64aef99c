import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openInElectron } from '../../../src/cli/launch/open-electron.ts';
import { appRoot } from '../../../src/cli/runtime/app-paths.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';

/** Opens the app, as `npm start` does, in a program with this shell script. Returns the outcome and the printed lines. */
async function openWith(script: string, stop = new AbortController().signal, args: readonly string[] = []) {
  const folder = createTemporaryFolder();
  writeFileSync(join(folder, 'electron'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const lines: string[] = [];
  const outcome = await openInElectron({
    args,
    system: {
      env: {
        PATH: process.env['PATH'],
        DISPLAY: ':0',
        ELECTRON_OVERRIDE_DIST_PATH: folder,
        ELECTRON_RUN_AS_NODE: '1',
      },
      platform: process.platform,
      root: false,
    },
    appEnv: { TIEOUT_HOME: join(folder, 'home') },
    retry: false,
    stop,
    print: (line) => lines.push(line),
  });
  return { ...outcome, lines };
}

test.each([
  ['exit 127', 'it ended with exit code 127'],
  ['kill -SEGV $$', 'it ended with signal SIGSEGV'],
  ['kill -TRAP $$', 'it ended with signal SIGTRAP'],
])('Electron cannot be used if it ends before its page connects: %s', async (script, reason) => {
  expect(await openWith(script)).toEqual({ code: null, reason, lines: [] });
});

test('a self-check that ends without its report has no exit code but a reason', async () => {
  expect(await openWith(`${runMain('--crash-after-connect')}`, undefined, ['--check'])).toMatchObject({
    code: null,
    reason: 'it ended with signal SIGSEGV',
  });
});

test('a clean exit before the page connects is not an error, because another window may already be open', async () => {
  expect(await openWith('exit 0')).toEqual({ code: 0, lines: [] });
});

test('variables that would change Electron do not reach it', async () => {
  const fail = '[ -z "$ELECTRON_RUN_AS_NODE$ELECTRON_OVERRIDE_DIST_PATH" ] || exit 9';
  expect(await openWith(fail)).toEqual({ code: 0, lines: [] });
});

test('stopping ends the program without opening the browser', async () => {
  const stopController = new AbortController();
  setTimeout(() => stopController.abort(), 300);
  const { code, lines } = await openWith('exec sleep 60', stopController.signal);
  expect({ code, lines }).toEqual({ code: 143, lines: [] });
});

/** Runs the built main process on the test double of Electron, which connects a page. */
const runMain = (more = '') =>
  `exec ${process.execPath} --import ${appRoot}/test/doubles/register.ts ${appRoot}/test/main/run-main-process.ts ${appRoot}/out/main/index.js ${more} >/dev/null`;

test('the built app reports its connected page to the launcher and quits with exit code 0', async () => {
  expect(await openWith(runMain())).toEqual({ code: 0, lines: [] });
});

test('a crash after the page connected is reported and does not open a second window', async () => {
  const { code, lines } = await openWith(runMain('--crash-after-connect'));
  expect(code).toBe(139);
  expect(lines).toEqual([
    'Tieout ended unexpectedly: it ended with signal SIGSEGV. Stored data is safe. Start Tieout again.',
  ]);
});

test('an error that the app has shown itself does not open the browser', async () => {
  const stopController = new AbortController();
  onTestFinished(() => stopController.abort());
  const unusableHome = runMain().replace('exec ', 'TIEOUT_HOME=/dev/null/x exec ');
  expect(await openWith(unusableHome)).toEqual({ code: 1, lines: [] });
});
