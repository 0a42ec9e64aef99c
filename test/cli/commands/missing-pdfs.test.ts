import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { runForDocument, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, connectSandbox, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;
let sandbox: Sandbox;
/** Folder for the exports, because the app refuses to write into its home. */
let outside: string;

beforeAll(async () => {
  sandbox = await startSandbox({ subscriptions: 5, months: 3 });
  afterwards(() => sandbox.close().catch(() => undefined));
  outside = temporaryFolder(afterwards);
  at = { home: temporaryFolder(afterwards), key: sandbox.apiKey };
  await connectSandbox(at, sandbox.describe());
  await runForDocument(['sync'], at);
});

test('archive export and pack download the PDFs that are missing', async () => {
  const pack = join(outside, 'pack.zip');
  const packed = await runForDocument<{ not_stored: number; statements: number }>(
    ['pack', '--period', '2026-09', '-o', pack],
    at,
  );
  expect(packed.not_stored).toBe(0);
  expect(packed.statements).toBeGreaterThan(0);
  const path = join(outside, 'export');
  const exported = await runForDocument<{ not_stored: number; count: number }>(
    ['archive', 'export', '--closed', '--since', '2026-09-01', '-o', path],
    at,
  );
  expect(exported.not_stored).toBe(0);
  expect(exported.count).toBeGreaterThan(packed.statements);
  // Only the written export is listed, not the plan that was replaced.
  expect((await runForDocument<{ rows: unknown[] }>(['archive', 'exports'], at)).rows).toHaveLength(1);
});

test('without a network they contain what is stored and say what is missing', async () => {
  await sandbox.close();
  for (const args of [
    ['archive', 'export', '--closed', '--until', '2026-08-31', '-o', join(outside, 'old')],
    ['pack', '--period', '2026-08', '-o', join(outside, 'old.zip')],
  ]) {
    const { code, stdout, stderr } = await runInProcess(args, at);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Missing PDFs could not be downloaded: .*(refused|reach)/i);
    expect(stdout).toMatch(/Statements without a PDF in the archive, listed only in the index: \d+\./);
  }
});
