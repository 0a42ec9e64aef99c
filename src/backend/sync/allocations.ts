import { allPairs, countPairs, pairsToRead } from '../store/allocations/pair-needs.ts';
import { partState, savePart } from '../store/sync/sync-unit.ts';
import { readHistory } from './allocation-history.ts';
import type { SyncContext } from './context.ts';
import { openProblems } from './problems.ts';
import { AT_ONCE, createWorkers } from './workers.ts';

/** Pairs that a person follows are looked at so often even if nothing tells of a change. */
const FOLLOW_EVERY_MS = 24 * 3_600_000;

/** The histories of the pairs that are known: those never read, and those that something told of. Gives whether all are held. */
export async function syncAllocations(context: SyncContext): Promise<boolean> {
  const { site, job, tally, now, full } = context;
  const { cache } = site;
  const began = now();
  const kept = partState(cache, 'allocations');
  const due = full ? allPairs(cache) : pairsToRead(cache, began - FOLLOW_EVERY_MS);
  const problems = openProblems(cache, 'allocations', job.id, now);
  const ends = new AbortController();
  const signal = AbortSignal.any([job.signal, ends.signal]);

  let done = 0;
  let failed = 0;
  const show = () => job.progress('allocations', { done, total: due.length, failed, current: null });
  show();
  const queue = due.values();
  await createWorkers(
    AT_ONCE,
    () => {
      const { value: pair } = queue.next();
      if (pair === undefined) return null;
      return async () => {
        if (await readHistory(context, problems, pair, signal)) done++;
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
    expected: countPairs(cache),
    complete,
    checkpoint: null,
  });
  return complete;
}
