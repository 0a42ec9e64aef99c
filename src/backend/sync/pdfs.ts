import { fetchPdf } from '../archive/fetchPdf.ts';
import { clearIncoming, settleArchive } from '../archive/store.ts';
import { commit } from '../store/database.ts';
import { withoutPdf } from '../store/statementNeeds.ts';
import { savePart } from '../store/syncUnit.ts';
import type { SyncContext } from './context.ts';
import { openProblems } from './problems.ts';
import { unitFailure } from './units.ts';
import { AT_ONCE, createWorkers } from './workers.ts';

/** The PDFs of closed and settled statements that are not in the archive, the newest first. Gives whether all are. */
export async function syncPdfs(context: SyncContext): Promise<boolean> {
  const { site, client, job, tally, now } = context;
  const { cache, folder } = site;
  const began = now();
  const due = withoutPdf(cache);
  const problems = openProblems(cache, 'pdf', job.id, now);
  const ends = new AbortController();
  const signal = AbortSignal.any([job.signal, ends.signal]);
  clearIncoming(folder);

  let done = 0;
  let failed = 0;
  const added = new Map<string, string>();
  const show = () => job.progress('pdf', { done, total: due.length, failed, current: null });
  show();
  const queue = due.values();

  async function fetch(statement: (typeof due)[number]): Promise<void> {
    const place = `PDF of statement ${statement.id}`;
    tally.learned.pdfs++;
    try {
      const { sha256 } = await fetchPdf(site, client, statement, signal, () => problems.solve(place));
      // Folders are told apart by the first two signs of the hash.
      added.set(sha256.slice(0, 2), sha256);
      tally.rows('pdf', { inserted: 1, changed: 0 });
      done++;
    } catch (error) {
      const failure = unitFailure(error);
      if (failure === null || tally.answered === 0) throw error;
      if (failure.code !== 'not_found') tally.strikes.bad(failure);
      commit(cache, () => problems.keep(place, failure.message, null));
      failed++;
    }
    show();
    context.tell('archive');
  }

  const workers = createWorkers(
    AT_ONCE,
    () => {
      const { value: statement } = queue.next();
      return statement === undefined ? null : () => fetch(statement);
    },
    () => ends.abort(),
  );
  try {
    await workers.run();
  } finally {
    await settleArchive(folder, added.values());
  }
  tally.failed += failed;
  const complete = failed === 0;
  savePart(cache, 'pdf', { synced_at: began, expected: null, complete, checkpoint: null });
  return complete;
}
