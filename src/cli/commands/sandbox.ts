import { Worker } from 'node:worker_threads';
import { exit } from '../exit.ts';
import { Failure } from '../failure.ts';
import { whole } from '../input/options.ts';
import { stopped } from '../interrupt.ts';
import { sandboxEntry } from '../session.ts';
import type { Define } from '../verbs.ts';

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

const port = whole(0, 65_535);

export const define: Define = (command, act) => {
  command
    .option('--port <n>', 'port of the service; any free one when left out', port)
    .option('--endpoint-port <n>', "port of the merchant's endpoint", port)
    .option('--seed <n>', 'the same number makes the same data', whole())
    .option('--subscriptions <n>', 'how many subscriptions', whole(1))
    .option('--months <n>', 'how many months of history', whole(1))
    .option('--webhooks <n>', 'how long the webhook log is', whole())
    .option('--data <file>', 'keep what changes in this file')
    .option('--faults <spec>', 'how it is to misbehave, as latency=20..80,error_rate=0.05')
    .option('--now <instant>', 'what its clock shows at the start, as 2026-11-01T06:00:00Z')
    .addHelpText('after', '\nIt listens on this machine only, and runs until Ctrl-C.')
    .action(
      act(async (cli, options: SandboxOptions) => {
        cli.stop.isUsual();
        const worker = new Worker(sandboxEntry(), { name: 'sandbox', env: {}, workerData: options });
        const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
        try {
          await cli.out.write(`${JSON.stringify(await ready(worker))}\n`);
          await Promise.race([stopped(cli.stop), gone]);
        } finally {
          worker.postMessage({ type: 'close' });
          await gone;
        }
        return exit.done;
      }),
    );
};

/** What the sandbox tells of itself once it answers. */
function ready(worker: Worker): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(
        new Failure('validation', `The sandbox could not start: ${reason}.`, 'See: tieout sandbox --help'),
      );
    worker.once('message', ({ type, ...description }: { type: string }) => {
      if (type === 'ready') resolve(description);
      else fail(`it said ${type}`);
    });
    worker.once('error', (error: Error) => fail(error.message));
    worker.once('exit', (code) => fail(`it ended with code ${code}`));
  });
}
