import { Worker } from 'node:worker_threads';
import { CliError } from '../../errors/cli-error.ts';
import { exitCode } from '../../errors/exit-codes.ts';
import { integer } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { sandboxEntry } from '../../runtime/app-paths.ts';
import { waitForInterrupt } from '../../runtime/interrupt-handler.ts';

interface SandboxOptions {
  readonly port?: number;
  readonly endpointPort?: number;
  readonly seed?: number;
  readonly subscriptions?: number;
  readonly months?: number;
  readonly webhooks?: number;
  readonly data?: string;
  readonly faults?: string;
  readonly now?: string;
}

const port = integer(0, 65_535);

export const defineSandboxCommand: DefineCommand = (command, handle) => {
  command
    .option('--port <n>', 'port of the service; any free one when left out', port)
    .option('--endpoint-port <n>', "port of the merchant's endpoint", port)
    .option('--seed <n>', 'the same number makes the same data', integer())
    .option('--subscriptions <n>', 'how many subscriptions', integer(1))
    .option('--months <n>', 'how many months of history', integer(1))
    .option('--webhooks <n>', 'how long the webhook log is', integer())
    .option('--data <file>', 'keep what changes in this file')
    .option('--faults <spec>', 'how it is to misbehave, as latency=20..80,error_rate=0.05')
    .option('--now <instant>', 'what its clock shows at the start, as 2026-11-01T06:00:00Z')
    .addHelpText('after', '\nIt listens on this machine only, and runs until Ctrl-C.')
    .action(
      handle(async (cli, options: SandboxOptions) => {
        cli.interrupt.treatAsNormalEnd();
        const worker = new Worker(sandboxEntry, { name: 'sandbox', env: {}, workerData: options });
        const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
        try {
          await cli.output.write(`${JSON.stringify(await ready(worker))}\n`);
          await Promise.race([waitForInterrupt(cli.interrupt), gone]);
        } finally {
          worker.postMessage({ type: 'close' });
          await gone;
        }
        return exitCode.success;
      }),
    );
};

/** What the sandbox tells of itself once it answers. */
function ready(worker: Worker): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(
        new CliError('validation', `The sandbox could not start: ${reason}.`, 'See: tieout sandbox --help'),
      );
    worker.once('message', ({ type, ...description }: { type: string }) => {
      if (type === 'ready') resolve(description);
      else fail(`it said ${type}`);
    });
    worker.once('error', (error: Error) => fail(error.message));
    worker.once('exit', (code) => fail(`it ended with code ${code}`));
  });
}
