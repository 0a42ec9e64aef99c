import { createWorkerPool, MAX_CONCURRENT_REQUESTS } from '../../shared/worker-pool.ts';
import {
  allComponents,
  countSubscriptionComponents,
  listHistoriesToRead,
} from '../../store/allocations/history-needs.ts';
import { partState, savePart } from '../../store/sync/sync-unit.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { openSyncProblems } from '../shared/sync-problems.ts';
import { readAllocationHistory } from './allocation-history.ts';

/** Maximum age of a stored history before it is read again even if nothing indicates a change. Chosen by judgment. */
const MAX_HISTORY_AGE_MS = 24 * 3_600_000;

/** Reads the allocation histories that have never been read or may have changed. Returns true if all are stored. */
export async function syncAllocations(context: SyncContext): Promise<boolean> {
  const { site, job, tally, now, full } = context;
  const { cache } = site;
  const began = now();
  const kept = partState(cache, 'allocations');
  const due = full ? allComponents(cache) : listHistoriesToRead(cache, began - MAX_HISTORY_AGE_MS);
  const problems = openSyncProblems(cache, 'allocations', job.id, now);
  const ends = new AbortController();
  const signal = AbortSignal.any([job.signal, ends.signal]);

  let done = 0;
  let failed = 0;
  const show = () => job.progress('allocations', { done, total: due.length, failed, current: null });
  show();
  const queue = due.values();
  await createWorkerPool(
    MAX_CONCURRENT_REQUESTS,
    () => {
      const { value: component } = queue.next();
      if (component === undefined) return null;
      return async () => {
        if (await readAllocationHistory(context, problems, component, signal)) done++;
        else failed++;
        show();
        context.emit('allocations');
      };
    },
    () => ends.abort(),
  ).run();

  tally.failed += failed;
  const complete = failed === 0;
  savePart(cache, 'allocations', {
    synced_at: complete ? began : (kept?.synced_at ?? null),
    expected: countSubscriptionComponents(cache),
    complete,
    checkpoint: null,
  });
  return complete;
}
