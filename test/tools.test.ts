import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createTemporaryFolder } from './host/test-host.ts';

const script = fileURLToPath(new URL('./tools.ts', import.meta.url));
const run = promisify(execFile);

test('all programs required by the tests are installed', async () => {
  const { stdout, stderr } = await run(process.execPath, [script]);
  expect(stdout + stderr).toBe('');
});

test('a missing program is reported with the command that installs it, and the run fails', async () => {
  const env = { PATH: createTemporaryFolder(), PLAYWRIGHT_BROWSERS_PATH: createTemporaryFolder() };
  const failure = await run(process.execPath, [script], { env }).catch((error) => error);
  expect(failure.code).toBe(1);
  expect(failure.stderr).toContain('The tests need Chromium');
  if (process.platform === 'linux') {
    expect(failure.stderr).toMatch(
      /sudo apt-get update && sudo apt-get install .*\bchromium\b.*\bgnome-keyring\b/,
    );
  }
});
