export type Task = () => Promise<void>;

/** Runs tasks concurrently, up to a fixed limit, until none are left. A task may add further tasks. */
export interface WorkerPool {
  /**
   * Resolves when all tasks are done. If a task fails, no new ones start, and the promise rejects with the first error.
   */
  run(): Promise<void>;
  /** Lets idle workers check for a new task. */
  wake(): void;
}

/**
 * Creates a pool. `take` returns the next task, or null if none is available now. `fail` is called immediately on the
 * first failure.
 */
export function createWorkerPool(limit: number, take: () => Task | null, fail: () => void): WorkerPool {
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
    while (busy < limit && failure === null) {
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

/** Number of connections of the client. */
export const MAX_CONCURRENT_REQUESTS = 4;
