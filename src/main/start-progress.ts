import type { MigrationProgress } from '../contract/index.ts';

/** Progress of the backend's start, shown by pages that open before it has started. */
export interface StartProgress {
  report(progress: MigrationProgress): void;
  /** Ends all streams. Called when the backend has started or failed. */
  end(): void;
  /** Yields the latest progress, then each later progress, until the start has ended. */
  watch(): AsyncGenerator<MigrationProgress>;
}

export function createStartProgress(): StartProgress {
  let latest: MigrationProgress | null = null;
  let hasEnded = false;
  let change = Promise.withResolvers<void>();
  const publish = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  return {
    report(progress) {
      latest = progress;
      publish();
    },
    end() {
      hasEnded = true;
      publish();
    },
    async *watch() {
      let sent: MigrationProgress | null = null;
      while (!hasEnded) {
        const { promise } = change;
        if (latest !== null && latest !== sent) {
          sent = latest;
          yield latest;
        } else await promise;
      }
    },
  };
}
