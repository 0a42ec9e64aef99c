import { useEffect, useRef } from 'react';

/** Runs an action once, as soon as `isReady` is true. */
export function useRunOnce(isReady: boolean, run: () => unknown): void {
  const hasRun = useRef(false);
  useEffect(() => {
    if (!isReady || hasRun.current) return;
    hasRun.current = true;
    run();
  });
}
