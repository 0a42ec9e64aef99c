export type WorkerTask = () => Promise<void>;

/** Maximum number of concurrent requests, equal to the number of the billing client's connections. */
export const MAX_CONCURRENT_REQUESTS = 4;

/** Runs tasks concurrently, up to a fixed limit, until none are left. A task may add further tasks. */
export class WorkerPool {
  /** Aborts when the caller's signal aborts or a task fails. */
  readonly signal: AbortSignal;
  readonly #take: () => WorkerTask | null;
  readonly #limit: number;
  readonly #stop = new AbortController();
  #busy = 0;
  #failure: { error: unknown } | null = null;
  #idle: () => void = () => {};

  /** `take` returns the next task to run, or null if none is available now. */
  constructor(signal: AbortSignal, take: () => WorkerTask | null, limit: number = MAX_CONCURRENT_REQUESTS) {
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#take = take;
    this.#limit = limit;
  }

  /** Resolves when all tasks are done. Starts no new task after a failure, and rejects with the first error. */
  async run(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    this.wake();
    if (this.#busy > 0) await promise;
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Wakes idle workers, so that they check for new tasks. */
  wake(): void {
    while (this.#busy < this.#limit && this.#failure === null) {
      const task = this.#take();
      if (task === null) return;
      this.#busy++;
      void this.#work(task);
    }
  }

  async #work(task: WorkerTask): Promise<void> {
    try {
      try {
        await task();
      } finally {
        this.#busy--;
      }
      this.wake();
    } catch (error) {
      if (this.#failure === null) {
        this.#failure = { error };
        this.#stop.abort();
      }
    }
    if (this.#busy === 0) this.#idle();
  }
}

/** Runs a task for each item, up to four at a time. Starts no more tasks after a failure or an abort. */
export function forEachConcurrently<Item>(
  items: Iterable<Item>,
  signal: AbortSignal,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const take = () => {
    const next = queue.next();
    return next.done || signal.aborted ? null : () => run(next.value);
  };
  return new WorkerPool(signal, take).run();
}
