import type { Log } from '../host/index.ts';

/** Limit of automatic reloads of a crashed page. More crashes within this time have a persistent cause. */
export const UNASKED = { times: 3, withinMs: 60_000 };

interface Revived {
  readonly log: Log;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Returns true while the page's window exists. */
  readonly isThere: () => boolean;
  readonly reload: () => void;
  /** Tells the user that the page keeps crashing. Resolves to true to try again. */
  readonly ask: () => Promise<boolean>;
  readonly quit: () => void;
}

/**
 * Handles the end of the page's process by Electron's reason: reloads the page at most three times within a minute, then
 * asks the user whether to try again or quit. A clean exit is ignored.
 */
export function createRevival({ log, now, isThere, reload, ask, quit }: Revived) {
  let reloads: readonly number[] = [];
  return async (reason: string): Promise<void> => {
    const clean = reason === 'clean-exit';
    log({ level: clean ? 'info' : 'error', msg: 'The page ended.', reason });
    if (clean || !isThere()) return;
    const since = now() - UNASKED.withinMs;
    reloads = reloads.filter((at) => at > since);
    if (reloads.length >= UNASKED.times) {
      const again = await ask();
      if (!isThere()) return;
      if (!again) return quit();
      reloads = [];
    }
    reloads = [...reloads, now()];
    reload();
  };
}
