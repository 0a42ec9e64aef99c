import { Worker } from 'node:worker_threads';
import { createUsageError } from '../../errors/cli-error.ts';
import { toPortInUseError } from '../../errors/port-in-use.ts';
import { createIntegerParser, parsePort } from '../../input/options.ts';
import { sandboxWorkerUrl } from '../../runtime/app-paths.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { waitForInterrupt } from '../../runtime/interrupt-handler.ts';

type SandboxCommandOptions = Readonly<Record<string, string | number>>;

export const defineSandboxCommand: DefineCommand = (command) => {
  command
    .option('--port <n>', 'port of the service (default: any free port)', parsePort)
    .option('--endpoint-port <n>', "port of the merchant's webhook endpoint", parsePort)
    .option(
      '--seed <n>',
      'seed of the sample data; the same seed creates the same data',
      createIntegerParser(),
    )
    .option('--subscriptions <n>', 'number of subscriptions', createIntegerParser(1))
    .option('--months <n>', 'number of months of history', createIntegerParser(1))
    .option('--webhooks <n>', 'number of webhooks in the log', createIntegerParser())
    .option('--data <file>', 'file that stores changes to the data')
    .option('--faults <spec>', 'faults to simulate, for example latency=20..80,error_rate=0.05')
    .option('--now <time>', 'initial time of the simulated clock, for example 2026-11-01T06:00:00Z')
    .addHelpText('after', '\nListens only on this computer and runs until Ctrl-C.')
    .run(async ({ interrupt, output }, options: SandboxCommandOptions) => {
      interrupt.setMessage(null);
      const worker = new Worker(sandboxWorkerUrl, { name: 'sandbox', env: {}, workerData: options });
      const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      try {
        await output.write(`${JSON.stringify(await waitUntilReady(worker, options))}\n`);
        await Promise.race([waitForInterrupt(interrupt), exited]);
      } finally {
        worker.postMessage({ type: 'close' });
        await exited;
      }
    });
};

/** Resolves with the sandbox's addresses and keys once it accepts requests. */
function waitUntilReady(worker: Worker, options: SandboxCommandOptions): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(
        createUsageError(`The sandbox could not start: ${reason}.`, 'For help, run: tieout sandbox --help'),
      );
    worker.once('message', ({ type, ...description }: { type: string }) => {
      if (type === 'ready') resolve(description);
      else fail(`unexpected message ${type}`);
    });
    worker.once('error', (error: Error & { port?: unknown }) => {
      const option = error.port === options['endpointPort'] ? '--endpoint-port' : '--port';
      const portError = toPortInUseError(error, option);
      if (portError) reject(portError);
      else fail(error.message);
    });
    worker.once('exit', (code) => fail(`the process exited with code ${code}`));
  });
}
