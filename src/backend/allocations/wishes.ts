import type { JobHandle } from '../jobs/job-handle.ts';

/** The user's commands to a running draft. */
export interface DraftCommands {
  readonly paused: boolean;
  /** Sleeps. Ends early on a command, at the end of the job, or when called again. */
  rest(ms: number): Promise<void>;
}

export function subscribeToDraftCommands(job: JobHandle): DraftCommands {
  let end = () => {};
  const wishes = {
    paused: false,
    rest(ms: number): Promise<void> {
      end();
      return new Promise((resolve) => {
        const timer = setTimeout(() => end(), ms);
        end = () => {
          clearTimeout(timer);
          end = () => {};
          resolve();
        };
        if (job.signal.aborted) end();
      });
    },
  };
  job.signal.addEventListener('abort', () => end());
  job.onWish((wish) => {
    wishes.paused = wish === 'pause';
    end();
  });
  return wishes;
}
