export type Task = () => Promise<void>;

/** Runs tasks concurrently with a fixed limit until none are left. Tasks may add new ones. */
export interface WorkerPool {
  /** Resolves when nothing is running or left. Rejects with the first failure after the other tasks have ended. */
  run(): Promise<void>;
  /** Tells idle workers that there may be a new task. */
  wake(): void;
}

/** `take` returns the next task, or null if there is none now. `fail` is called at once on the first failure. */
export function createWorkerPool(most: number, take: () => Task | null, fail: () => void): WorkerPool {
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

/** Number of connections of the client. */
export const MAX_CONCURRENT_REQUESTS = 4;
