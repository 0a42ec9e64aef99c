/** Runs actions one after another and returns only the result of the latest action. */
export interface LatestOnlyRunner {
  /**
   * Runs the action after the current one has ended. Returns null if a newer action was requested in the meantime or the
   * action was discarded. Such an action is skipped. If it has already started, its result or error is ignored.
   */
  run<T>(action: () => Promise<T>): Promise<{ readonly done: T } | null>;
  /** Ignores the result of the current action. */
  discard(): void;
}

export function createLatestOnlyRunner(): LatestOnlyRunner {
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
