import type { Change } from '../../contract/index.ts';

export type Topic = Change['topics'][number];

/** Tells watchers what changed in the stores, gathered so that each hears at most ten times a second. */
export interface Changes {
  /** Something of these topics changed; `site` is null for the app as a whole. */
  tell(site: string | null, ...topics: Topic[]): void;
  /** Changes from now on, until the signal is aborted. */
  watch(signal?: AbortSignal): AsyncGenerator<Change, void, undefined>;
}

const GATHERED_MS = 100;

/** What one watcher has still to hear: topics by site. */
type Pending = Map<string | null, Set<Topic>>;

/** Tells everybody who listens what changed; who comes later is not told of what was before. */
export function createChanges(): Changes {
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
          await quiet(GATHERED_MS, signal);
        }
      } finally {
        watchers.delete(hear);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
}

/** Waits, or returns at once when aborted. */
export function quiet(ms: number, signal?: AbortSignal): Promise<void> {
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
