import { downloadPdfs } from '../archive/fetch-pdfs.ts';
import { commit } from '../store/sqlite/connection.ts';
import { withoutPdf } from '../store/statements/statement-needs.ts';
import { partState, savePart } from '../store/sync/sync-unit.ts';
import type { SyncContext } from './shared/context.ts';
import { openProblems } from './shared/problems.ts';
import { unitFailure } from './shared/units.ts';

/** Downloads the missing PDFs of closed and settled statements, newest first. Returns true if all are stored. */
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
  await downloadPdfs(site, client, due, {
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
