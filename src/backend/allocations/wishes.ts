import type { JobHandle } from '../jobs/jobs.ts';

/** What the user wishes of changes being sent, and waiting that a wish ends. */
export interface Wishes {
  readonly paused: boolean;
  /** Waits; ends early by a wish, by the end of the job, or by another call of it. */
  rest(ms: number): Promise<void>;
}

export function hearWishes(job: JobHandle): Wishes {
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
