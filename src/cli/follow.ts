import type { Client } from '../contract/contract.ts';
import type { Job } from '../contract/jobs.ts';
import type { Cli } from './act.ts';
import { createProgress } from './progress.ts';

export interface Following {
  /** What Ctrl-C does; by default it cancels the job. */
  readonly onStop?: () => Promise<unknown>;
  /** What there is to say besides the progress, asked for whenever the job has changed. */
  readonly remark?: (job: Job) => Promise<string | null>;
  /** Whether a paused job waits for a person: then it is not followed further. Asked after the remark. */
  readonly isStuck?: () => boolean;
}

/**
 * Shows a job's progress until it ends, and gives its last state. After Ctrl-C it is still followed until it has ended or
 * paused, so that what it was writing is written.
 */
export async function followJob(
  cli: Cli,
  client: Client,
  { site, job }: { site: string; job: string },
  { onStop = () => client.jobs.cancel({ site, job }), remark, isStuck }: Following = {},
): Promise<Job> {
  const display = createProgress(cli.out.quiet);
  const { signal } = cli.stop;
  const left = new AbortController();
  let last: Job | undefined;
  let said: string | null = null;
  const leaveIfPaused = () => {
    if (signal.aborted && last?.state === 'paused') left.abort();
  };
  const stop = async () => {
    // A job that ended by itself at the same moment refuses to be stopped; its own end is what counts.
    await onStop().catch(() => undefined);
    leaveIfPaused();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) void stop();
  try {
    for await (const state of await client.jobs.watch({ site, job }, { signal: left.signal })) {
      last = state;
      const words = (await remark?.(state)) ?? null;
      if (words !== null && words !== said) display.say(words);
      said = words;
      display.show(state);
      if (state.state === 'paused' && isStuck?.() === true) left.abort();
      leaveIfPaused();
    }
  } catch (error) {
    if (!left.signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    display.end();
  }
  return last ?? (await client.jobs.get({ site, job }));
}
