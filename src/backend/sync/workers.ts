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
  let busy = 0;
  let failure: { error: unknown } | null = null;
  let idle: () => void = () => {};

  async function work(task: Task): Promise<void> {
    try {
      try {
        await task();
      } finally {
        busy--;
      }
      wake();
    } catch (error) {
      if (failure === null) {
        failure = { error };
        fail();
      }
    }
    if (busy === 0) idle();
  }

  function wake(): void {
    while (busy < most && failure === null) {
      const task = take();
      if (task === null) return;
      busy++;
      void work(task);
    }
  }

  return {
    wake,
    async run() {
      const { promise, resolve } = Promise.withResolvers<void>();
      idle = resolve;
      wake();
      if (busy > 0) await promise;
      if (failure !== null) throw (failure as { error: unknown }).error;
    },
  };
}

/** As many as the client has connections. */
export const AT_ONCE = 4;
