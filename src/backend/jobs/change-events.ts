import type { Change } from '../../contract/index.ts';

export type ChangeTopic = Change['topics'][number];

/** Emits change events. They are batched, so that each subscriber receives at most ten batches per second. */
export interface ChangeEvents {
  /** Emits a change of these topics. `site` is null for changes of the app itself. */
  emit(site: string | null, ...topics: ChangeTopic[]): void;
  /** Yields future changes until the signal is aborted. */
  watch(signal?: AbortSignal): AsyncGenerator<Change, void, undefined>;
}

const BATCH_INTERVAL_MS = 100;

/** Topics by site that have not been delivered to a subscriber yet. */
type Pending = Map<string | null, Set<ChangeTopic>>;

/** Creates the change events of this process. Subscribers do not receive earlier changes. */
export function createChangeEvents(): ChangeEvents {
  const watchers = new Set<(site: string | null, topics: readonly ChangeTopic[]) => void>();

  return {
    emit(site, ...topics) {
      for (const hear of watchers) hear(site, topics);
    },
    async *watch(signal) {
      const pending: Pending = new Map();
      let wake = () => {};
      const hear = (site: string | null, topics: readonly ChangeTopic[]) => {
        const known = pending.get(site) ?? new Set<ChangeTopic>();
        for (const topic of topics) known.add(topic);
        pending.set(site, known);
        wake();
      };
      const stop = () => wake();
      watchers.add(hear);
      signal?.addEventListener('abort', stop);
      try {
        while (!signal?.aborted) {
          if (pending.size === 0) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            continue;
          }
          const batch = [...pending];
          pending.clear();
          for (const [site, topics] of batch) yield { site, topics: [...topics] };
          await sleep(BATCH_INTERVAL_MS, signal);
        }
      } finally {
        watchers.delete(hear);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
}

/** Sleeps for a number of milliseconds. Resolves immediately when aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
