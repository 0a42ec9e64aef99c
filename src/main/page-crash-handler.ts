import type { Log } from '../host/index.ts';

/**
 * Limit of automatic reloads of a crashed page. If the page crashes more often within this time, the cause is persistent.
 */
export const AUTOMATIC_RELOADS = { times: 3, withinMs: 60_000 };

interface CrashHandlerOptions {
  readonly log: Log;
  /** Current time in milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Returns true while the page's window exists. */
  readonly isWindowOpen: () => boolean;
  readonly reload: () => void;
  /** Asks the user what to do if the page keeps crashing. Resolves to true to try again. */
  readonly askToTryAgain: () => Promise<boolean>;
  readonly quit: () => void;
}

/**
 * Creates a handler for the end of the page's process. It reloads the page at most three times per minute. After that, it
 * asks the user whether to try again or quit. A clean exit is ignored.
 */
export function createCrashHandler({
  log,
  now,
  isWindowOpen,
  reload,
  askToTryAgain,
  quit,
}: CrashHandlerOptions) {
  let reloads: readonly number[] = [];
  return async (reason: string): Promise<void> => {
    const isCleanExit = reason === 'clean-exit';
    log({ level: isCleanExit ? 'info' : 'error', msg: 'The page ended.', reason });
    if (isCleanExit || !isWindowOpen()) return;
    const since = now() - AUTOMATIC_RELOADS.withinMs;
    reloads = reloads.filter((at) => at > since);
    if (reloads.length >= AUTOMATIC_RELOADS.times) {
      const again = await askToTryAgain();
      if (!isWindowOpen()) return;
      if (!again) return quit();
      reloads = [];
    }
    reloads = [...reloads, now()];
    reload();
  };
}
