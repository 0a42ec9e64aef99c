import type { JobHandle } from '../jobs/job-handle.ts';

/** Subscribes to the user's pause and resume commands to a draft that is being sent. */
export function subscribeToDraftCommands(job: JobHandle) {
  let end = () => {};
  const commands = {
    isPaused: false,
    /** Sleeps for the milliseconds. Ends early on a command, when the job is aborted, or when called again. */
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
    /** Ends a sleep that has lost its race, because its timer would keep the process alive. */
    wake: () => end(),
  };
  job.signal.addEventListener('abort', () => end());
  job.onCommand((command) => {
    commands.isPaused = command === 'pause';
    end();
  });
  return commands;
}
