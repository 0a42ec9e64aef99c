import { WorkerPool } from '../../shared/worker-pool.ts';
import {
  countSubscriptionComponents,
  listAllAllocationHistories,
  listAllocationHistoriesToRead,
} from '../../store/allocations/histories-to-read.ts';
import { readSyncPartState, saveSyncPartState } from '../../store/sync/sync-unit.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { SyncProblemRecorder } from '../shared/sync-problems.ts';
import { readAllocationHistory } from './read-allocation-history.ts';

/** Maximum age of a stored history before it is read again even if nothing indicates a change. Chosen by judgment. */
const MAX_HISTORY_AGE_MS = 24 * 3_600_000;

/** Reads the allocation histories that have never been read or may have changed. Returns true if all are stored. */
export async function syncAllocations(context: SyncContext): Promise<boolean> {
  const { site, job, tally, now, full } = context;
  const { cache } = site;
  const began = now();
  const stored = readSyncPartState(cache, 'allocations');
  const components = full
    ? listAllAllocationHistories(cache)
    : listAllocationHistoriesToRead(cache, began - MAX_HISTORY_AGE_MS);
  const problems = new SyncProblemRecorder(cache, { part: 'allocations', job: job.id, now });

  let done = 0;
  let failed = 0;
  const showProgress = () =>
    job.progress('allocations', { done, total: components.length, failed, current: null });
  showProgress();
  const queue = components.values();
  const pool: WorkerPool = new WorkerPool(job.signal, () => {
    const { value: component } = queue.next();
    if (component === undefined) return null;
    return async () => {
      if (await readAllocationHistory(context, problems, component, pool.signal)) done++;
      else failed++;
      showProgress();
      context.emit('allocations');
    };
  });
  await pool.run();

  tally.failed += failed;
  const complete = failed === 0;
  saveSyncPartState(cache, 'allocations', {
    synced_at: complete ? began : (stored?.synced_at ?? null),
    expected: countSubscriptionComponents(cache),
    complete,
    checkpoint: null,
  });
  return complete;
}
