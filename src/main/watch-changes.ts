import type { BackendClient, ChangeEvent } from '../contract/index.ts';

/** Delay in milliseconds before the watch restarts after a thread has crashed. Chosen by judgment. */
const RETRY_DELAY_MS = 1_000;

/** Calls `onChange` for each change in the local databases and settings until the signal aborts. */
export async function watchChanges(
  client: Pick<BackendClient, 'changes'>,
  signal: AbortSignal,
  onChange: (change: ChangeEvent) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const change of await client.changes.watch({}, { signal })) onChange(change);
    } catch {
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}
