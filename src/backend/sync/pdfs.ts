import { fetchPdfs } from '../archive/fetch-pdfs.ts';
import { commit } from '../store/database.ts';
import { withoutPdf } from '../store/statements/statement-needs.ts';
import { partState, savePart } from '../store/sync/sync-unit.ts';
import type { SyncContext } from './context.ts';
import { openProblems } from './problems.ts';
import { unitFailure } from './units.ts';

/** The PDFs of closed and settled statements that are not in the archive, the newest first. Gives whether all are. */
export async function syncPdfs(context: SyncContext): Promise<boolean> {
  const { site, client, job, tally, now } = context;
  const { cache } = site;
  const began = now();
  const kept = partState(cache, 'pdf');
  const due = withoutPdf(cache);
  const problems = openProblems(cache, 'pdf', job.id, now);
  const placeOf = ({ id }: { id: number }) => `PDF of statement ${id}`;

  let done = 0;
  let failed = 0;
  const show = () => job.progress('pdf', { done, total: due.length, failed, current: null });
  const shown = () => {
    show();
    context.tell('archive');
  };
  show();
  await fetchPdfs(site, client, due, {
    signal: job.signal,
    asked: () => void tally.learned.pdfs++,
    noted: (statement) => problems.solve(placeOf(statement)),
    fetched(pdfs) {
      tally.rows('pdf', { inserted: pdfs, changed: 0 });
      done += pdfs;
      shown();
    },
    failed(statement, error) {
      const failure = unitFailure(error);
      if (failure === null || tally.answered === 0) throw error;
      if (failure.code !== 'not_found') tally.strikes.bad(failure);
      commit(cache, () => problems.keep(placeOf(statement), failure.message, null));
      failed++;
      shown();
    },
  });
  tally.failed += failed;
  const complete = failed === 0;
  savePart(cache, 'pdf', {
    synced_at: complete ? began : (kept?.synced_at ?? null),
    expected: null,
    complete,
    checkpoint: null,
  });
  return complete;
}
