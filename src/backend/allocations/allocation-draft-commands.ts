import type { JobHandle } from '../jobs/job-handle.ts';

/** Subscribes to the user's pause and resume commands for a draft that is being sent. */
export function subscribeToDraftCommands(job: JobHandle) {
  let end = () => {};
  const commands = {
    isPaused: false,
    /** Sleeps for the given milliseconds. Ends early on a command, on abort or on another call. */
    sleep(ms: number): Promise<void> {
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
    /** Clears the sleep's timer, which would otherwise keep the process alive. */
    wake: () => end(),
  };
  job.signal.addEventListener('abort', () => end());
  job.onCommand((command) => {
    commands.isPaused = command === 'pause';
    end();
  });
  return commands;
}
