import type { Client } from '../contract/contract.ts';
import type { Job } from '../contract/jobs.ts';
import type { Cli } from './act.ts';
import { createProgress } from './progress.ts';

/**
 * Shows a job's progress until it ends, and gives its last state. Ctrl-C calls `onStop`, by default the job's cancel,
 * and the job is still followed to its end, so that what it was writing is written.
 */
export async function followJob(
  cli: Cli,
  client: Client,
  { site, job }: { site: string; job: string },
  onStop: () => Promise<unknown> = () => client.jobs.cancel({ site, job }),
): Promise<Job> {
  const display = createProgress(cli.out.quiet);
  // A job that ended by itself at the same moment refuses to be stopped; its own end is what counts.
  const stop = () => void onStop().catch(() => undefined);
  cli.stop.signal.addEventListener('abort', stop, { once: true });
  if (cli.stop.signal.aborted) stop();
  try {
    let last: Job | undefined;
    for await (const state of await client.jobs.watch({ site, job })) {
      last = state;
      display.show(state);
    }
    return last ?? (await client.jobs.get({ site, job }));
  } finally {
    cli.stop.signal.removeEventListener('abort', stop);
    display.end();
  }
}
