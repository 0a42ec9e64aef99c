/** Runs actions one at a time. */
export interface ActionRunner {
  /** Returns the action's result, or null if the action was skipped, superseded, or discarded. */
  run<T>(action: () => Promise<T>): Promise<{ readonly done: T } | null>;
  /** Ignores the result of the current action. */
  discard(): void;
}

/** Creates a runner that skips an action while another one is running. */
export function createNonOverlappingRunner(): ActionRunner {
  let isRunning = false;
  return {
    async run(action) {
      if (isRunning) return null;
      isRunning = true;
      try {
        return { done: await action() };
      } finally {
        isRunning = false;
      }
    },
    discard: () => undefined,
  };
}

/** Creates a runner that starts an action after the current one has ended and returns only the latest result. */
export function createLatestOnlyRunner(): ActionRunner {
  let latest: object | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  return {
    async run(action) {
      const token = {};
      latest = token;
      const running = previous.then(async () => (latest === token ? { done: await action() } : null));
      previous = running.catch(() => undefined);
      try {
        const result = await running;
        return latest === token ? result : null;
      } catch (thrown) {
        if (latest === token) throw thrown;
        return null;
      }
    },
    discard() {
      latest = null;
    },
  };
}
