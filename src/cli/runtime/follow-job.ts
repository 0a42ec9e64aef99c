import type { Job } from '../../contract/app/jobs.ts';
import { CliError, toCliError } from '../errors/cli-error.ts';
import { createProgressDisplay } from '../output/progress-display.ts';
import type { SiteContext } from './cli-command.ts';

export interface FollowJobOptions {
  /** Called on Ctrl-C. The default cancels the job. */
  readonly onStop?: () => Promise<unknown>;
  /** Called on every change of the job. Returns a notice to print in addition to the progress. */
  readonly getNotice?: (job: Job) => Promise<string | null>;
  /** Returns true if a paused job waits for a person, so that following it should end. Called after `getNotice`. */
  readonly needsPerson?: () => boolean;
}

/**
 * Shows a job's progress until the job ends, and returns its final state. After Ctrl-C, waits until the job has ended
 * or paused, so that its last writes complete.
 */
export async function followJob(
  { client, site, output, interrupt: { signal } }: SiteContext,
  job: string,
  { onStop = () => client.jobs.cancel({ site, job }), getNotice, needsPerson }: FollowJobOptions = {},
): Promise<Job> {
  const display = createProgressDisplay(output.quiet);
  const unsubscribe = new AbortController();
  let last: Job | undefined;
  let lastNotice: string | null = null;
  const leaveIfPaused = () => {
    if (signal.aborted && last?.state === 'paused') unsubscribe.abort();
  };
  const stop = async () => {
    // A job that has just ended cannot be stopped. Its actual result is returned.
    await onStop().catch(() => undefined);
    leaveIfPaused();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) void stop();
  try {
    for await (const state of await client.jobs.watch({ site, job }, { signal: unsubscribe.signal })) {
      last = state;
      const notice = (await getNotice?.(state)) ?? null;
      if (notice !== null && notice !== lastNotice) display.notice(notice);
      lastNotice = notice;
      display.show(state);
      if (state.state === 'paused' && needsPerson?.() === true) unsubscribe.abort();
      leaveIfPaused();
    }
  } catch (error) {
    if (!unsubscribe.signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    display.end();
  }
  return last ?? (await client.jobs.get({ site, job }));
}

/** Waits until a job ends. Throws if the job fails or if Ctrl-C stops it. */
export async function waitForJob(context: SiteContext, job: string): Promise<Job> {
  const last = await followJob(context, job);
  if (context.interrupt.signal.aborted) throw new CliError('canceled', 'Stopped.');
  if (last.error !== null) throw toCliError(last.error);
  return last;
}
