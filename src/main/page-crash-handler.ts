import type { LogWriter } from '../host/index.ts';

/** Maximum number of automatic reloads in a time. More crashes suggest a lasting cause. Chosen by judgment. */
export const AUTOMATIC_RELOAD_LIMIT = { times: 3, withinMs: 60_000 };

interface CrashHandlerOptions {
  readonly log: LogWriter;
  /** Current time in milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Returns true while the page's window exists. */
  readonly isWindowOpen: () => boolean;
  readonly reload: () => void;
  /** Asks the user what to do if the page keeps crashing. Resolves to true to try again. */
  readonly askToTryAgain: () => Promise<boolean>;
  readonly quit: () => void;
}

/** Creates a handler for crashes of the page's process. Reloads the page up to the limit, then asks the user. */
export function createPageCrashHandler(options: CrashHandlerOptions) {
  const { log, now, isWindowOpen, reload, askToTryAgain, quit } = options;
  let reloads: readonly number[] = [];
  return async (reason: string): Promise<void> => {
    const isCleanExit = reason === 'clean-exit';
    log({ level: isCleanExit ? 'info' : 'error', msg: 'The page ended.', reason });
    if (isCleanExit || !isWindowOpen()) return;
    const since = now() - AUTOMATIC_RELOAD_LIMIT.withinMs;
    reloads = reloads.filter((at) => at > since);
    if (reloads.length >= AUTOMATIC_RELOAD_LIMIT.times) {
      const again = await askToTryAgain();
      if (!isWindowOpen()) return;
      if (!again) return quit();
      reloads = [];
    }
    reloads = [...reloads, now()];
    reload();
  };
}
