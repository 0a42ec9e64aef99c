import type { Log } from '../host/index.ts';

/** So often within this time a page that ended is loaded again unasked; one that ends more often has a cause that stays. */
export const UNASKED = { times: 3, withinMs: 60_000 };

interface Revived {
  readonly log: Log;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Whether the page's window is still there. */
  readonly isThere: () => boolean;
  readonly reload: () => void;
  /** Tells the person that the page keeps ending; whether to try again. */
  readonly ask: () => Promise<boolean>;
  readonly quit: () => void;
}

/**
 * What is done when the page's process has ended, by Electron's reason: the page is loaded again, at most three times within a minute;
 * after that it is for the person to say whether to try again or to quit. A clean exit is neither an error nor undone.
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
