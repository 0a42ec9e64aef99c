/** Entry point of the thread that runs a sandbox with the options in `workerData`. Posts `ready` with its description. */
import { parentPort, workerData } from 'node:worker_threads';
import { startSandbox } from './index.ts';
import type { SandboxOptions } from './sandbox-options.ts';

async function run(): Promise<void> {
  const sandbox = await startSandbox(workerData as SandboxOptions);
  parentPort?.on('message', async (message: unknown) => {
    if (message !== 'close' && (message as { type?: string } | null)?.type !== 'close') return;
    await sandbox.close();
    parentPort?.close();
  });
  parentPort?.postMessage({ type: 'ready', ...sandbox.describe() });
}

void run();
