import type { Change } from '../../contract/index.ts';

export type Topic = Change['topics'][number];

/** Emits change events. They are collected, so that each subscriber receives at most ten per second. */
export interface ChangeEvents {
  /** Reports a change of these topics. `site` is null for the app as a whole. */
  tell(site: string | null, ...topics: Topic[]): void;
  /** Yields changes from now on until the signal is aborted. */
  watch(signal?: AbortSignal): AsyncGenerator<Change, void, undefined>;
}

const GATHERED_MS = 100;

/** Topics by site that a subscriber has not received yet. */
type Pending = Map<string | null, Set<Topic>>;

/** Creates the change events of this process. New subscribers receive no earlier changes. */
export function createChangeEvents(): ChangeEvents {
  const watchers = new Set<(site: string | null, topics: readonly Topic[]) => void>();

  return {
    tell(site, ...topics) {
      for (const hear of watchers) hear(site, topics);
    },
    async *watch(signal) {
      const pending: Pending = new Map();
      let wake = () => {};
      const hear = (site: string | null, topics: readonly Topic[]) => {
        const known = pending.get(site) ?? new Set<Topic>();
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
          const gathered = [...pending];
          pending.clear();
          for (const [site, topics] of gathered) yield { site, topics: [...topics] };
          await sleep(GATHERED_MS, signal);
        }
      } finally {
        watchers.delete(hear);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
}

/** Sleeps. Returns at once when aborted. */
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
