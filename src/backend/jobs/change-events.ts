import type { ChangeEvent } from '../../contract/index.ts';

export type ChangeTopic = ChangeEvent['topics'][number];

export const BOOKS_CHANGE_TOPICS: readonly ChangeTopic[] = [
  'jobs',
  'sync',
  'replay',
  'allocations',
  'exceptions',
  'bank',
  'match',
  'periods',
  'archive',
  'audit',
  'sites',
];

type ChangeListener = (site: string | null, topics: readonly ChangeTopic[]) => void;

const BATCH_INTERVAL_MS = 100;

/** Emits change events, in at most ten batches per second per subscriber. Subscribers receive no earlier changes. */
export class ChangeEvents {
  readonly #listeners = new Set<ChangeListener>();

  /** Emits a change of these topics. A null `site` means an app-wide change. */
  emit(site: string | null, ...topics: ChangeTopic[]): void {
    for (const listener of this.#listeners) listener(site, topics);
  }

  /** Yields changes from the time of the call until the signal is aborted. */
  async *watch(signal?: AbortSignal): AsyncGenerator<ChangeEvent, void, undefined> {
    /** Changed topics by site that the subscriber has not received yet. */
    const pending = new Map<string | null, Set<ChangeTopic>>();
    let wake = () => {};
    const listener: ChangeListener = (site, topics) => {
      pending.set(site, new Set([...(pending.get(site) ?? []), ...topics]));
      wake();
    };
    const stop = () => wake();
    this.#listeners.add(listener);
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
      this.#listeners.delete(listener);
      signal?.removeEventListener('abort', stop);
    }
  }
}

/** Sleeps for a number of milliseconds. Resolves early on abort. */
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
