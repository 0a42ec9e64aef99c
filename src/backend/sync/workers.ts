export type Task = () => Promise<void>;

/** Does tasks side by side, a few at a time, until there are none; tasks may bring new ones. */
export interface Workers {
  /** Settles when nothing is under way and nothing is left; rejects with the first failure, once the others have ended. */
  run(): Promise<void>;
  /** Says that there may be something to take for workers that found nothing. */
  wake(): void;
}

/** `take` gives the next task, or null where there is none just now; `fail` is told of the first failure at once. */
export function createWorkers(most: number, take: () => Task | null, fail: () => void): Workers {
  const busy = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;

  function wake(): void {
    while (busy.size < most && failure === null) {
      const task = take();
      if (task === null) return;
      const done: Promise<void> = task()
        .catch((error: unknown) => {
          if (failure === null) {
            failure = { error };
            fail();
          }
        })
        .then(() => {
          busy.delete(done);
          wake();
        });
      busy.add(done);
    }
  }

  return {
    wake,
    async run() {
      wake();
      while (busy.size > 0) await Promise.race(busy);
      if (failure !== null) throw (failure as { error: unknown }).error;
    },
  };
}

/** As many as the client has connections. */
export const AT_ONCE = 4;
