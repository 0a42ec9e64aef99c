import { createWorkerPool, MAX_CONCURRENT_REQUESTS } from '../../shared/worker-pool.ts';
import {
  allComponents,
  countSubscriptionComponents,
  listHistoriesToRead,
} from '../../store/allocations/history-needs.ts';
import { partState, savePart } from '../../store/sync/sync-unit.ts';
import type { SyncContext } from '../shared/context.ts';
import { openProblems } from '../shared/problems.ts';
import { readHistory } from './allocation-history.ts';

/** Maximum age of a followed history before it is read again without a sign of change. Chosen by judgment. */
const FOLLOW_EVERY_MS = 24 * 3_600_000;

/** Reads the allocation histories that were never read or may have changed. Returns true if all are stored. */
export async function syncAllocations(context: SyncContext): Promise<boolean> {
  const { site, job, tally, now, full } = context;
  const { cache } = site;
  const began = now();
  const kept = partState(cache, 'allocations');
  const due = full ? allComponents(cache) : listHistoriesToRead(cache, began - FOLLOW_EVERY_MS);
  const problems = openProblems(cache, 'allocations', job.id, now);
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
        if (await readHistory(context, problems, component, signal)) done++;
        else failed++;
        show();
        context.tell('allocations');
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
