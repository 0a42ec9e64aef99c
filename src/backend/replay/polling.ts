/** When the log is looked at again for outcomes: soon at first, then ever more rarely while nothing is seen. */
export interface Polling {
  readonly delay: number;
}

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Polling right after a post; `usual` is how long webhooks took to be resolved so far, where that is known. */
export function startPolling(usual: number | null): Polling {
  return { delay: usual === null ? FIRST_MS : Math.min(LONGEST_MS, Math.max(FIRST_MS, usual)) };
}

/** After a look that saw something resolved the pace holds; after one that saw nothing it doubles. */
export function afterLook(polling: Polling, sawSome: boolean): Polling {
  return { delay: sawSome ? Math.max(FIRST_MS, polling.delay / 2) : Math.min(LONGEST_MS, polling.delay * 2) };
}

/**
 * How long a webhook of which it is not known whether it was posted may stay unchanged before it is posted again: two
 * minutes, or four times the usual.
 */
export function doubt(usual: number | null): number {
  return Math.max(120_000, 4 * (usual ?? 0));
}

/** How long a queued webhook may stay unchanged before it is called unresolved: 15 minutes, or four times the usual. */
export function patience(usual: number | null): number {
  return Math.max(900_000, 4 * (usual ?? 0));
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
