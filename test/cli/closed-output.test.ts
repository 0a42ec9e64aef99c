import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { addSite, SITE } from '../backend/bank/bank-bench.ts';
import { CLI_ENTRY, temporaryFolder } from './run-tieout.ts';

/** Runs a shell command in which `tieout` is the command line. Returns its exit code and its output. */
function runShell(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const home = temporaryFolder();
  addSite(home);
  for (const kind of ['cache', 'books'] as const)
    closeStore(openStore(`${home}/sites/${SITE}/${kind}.db`, kind));
  const script = `set -o pipefail; tieout() { "${process.execPath}" "${CLI_ENTRY}" "$@"; }; ${line}`;
  const env = { ...process.env, TIEOUT_HOME: home, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], { cwd: home, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test
  .skipIf(!existsSync('/dev/full'))
  .each(['tieout status > /dev/full', 'tieout site list --json > /dev/full', 'tieout help > /dev/full'])(
  'a full device is a clear error: %s',
  async (line) => {
    const { code, stderr } = await runShell(line);
    expect(code).toBe(5);
    expect(stderr).toBe(
      'tieout: The output could not be written: no space left on device. Free up space or choose another file.\n',
    );
  },
);

test.skipIf(process.platform === 'win32').each([
  ['the reader of the list has enough', 'tieout help | head -1', 0],
  ['the reader ends at once', 'tieout status | true', 0],
  ['notices and result go to a reader that ends at once', 'tieout status 2>&1 | true', 0],
  ['stdout is closed', 'tieout status >&-', 0],
  ['the command has found a problem', 'tieout verify . | true', 1],
  ['notices cannot be written', 'tieout status 2> /dev/full', 0],
])('the exit code is that of the command if %s', async (_name, line, exitCode) => {
  const { code, stderr } = await runShell(line);
  expect(stderr).not.toMatch(/EPIPE|\n\s+at /);
  expect(code).toBe(exitCode);
});
