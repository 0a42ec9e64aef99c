import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { createTemporaryFolder } from '../host/test-host.ts';

test.each(['SIGTERM', 'SIGINT'] as const)('a run that is stopped by %s deletes its copy', async (signal) => {
  const folder = createTemporaryFolder();
  const args = ['test/mutants/index.ts', '--protections', '1', '--domain', '0', '--only', 'terminal-text'];
  const run = spawn(process.execPath, args, { cwd: appRoot, env: { ...process.env, TMPDIR: folder } });
  onTestFinished(() => void run.kill('SIGKILL'));
  const listCopies = () => readdirSync(folder).filter((name) => name.startsWith('tieout-mutants-'));
  await expect.poll(listCopies).toHaveLength(1);
  // The tests of the change run once the copy is complete.
  const [copy = ''] = listCopies();
  await expect.poll(() => readdirSync(join(folder, copy))).toContain('node_modules');
  run.kill(signal);
  const [code] = (await once(run, 'exit')) as [number];
  expect(code).toBe(signal === 'SIGTERM' ? 143 : 130);
  expect(listCopies()).toEqual([]);
});
