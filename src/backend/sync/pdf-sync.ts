import { downloadPdfs } from '../archive/download-pdfs.ts';
import { commit } from '../store/sqlite/connection.ts';
import { withoutPdf } from '../store/statements/statement-needs.ts';
import { partState, savePart } from '../store/sync/sync-unit.ts';
import type { SyncContext } from './shared/sync-context.ts';
import { openSyncProblems } from './shared/sync-problems.ts';
import { toUnitError } from './shared/unit-failures.ts';

/** Downloads the missing PDFs of closed and settled statements, newest first. Returns true if all are stored. */
export async function syncPdfs(context: SyncContext): Promise<boolean> {
  const { site, client, job, tally, now } = context;
  const { cache } = site;
  const began = now();
  const kept = partState(cache, 'pdf');
  const due = withoutPdf(cache);
  const problems = openSyncProblems(cache, 'pdf', job.id, now);
  const placeOf = ({ id }: { id: number }) => `PDF of statement ${id}`;

  let done = 0;
  let failed = 0;
  const show = () => job.progress('pdf', { done, total: due.length, failed, current: null });
  const shown = () => {
    show();
    context.emit('archive');
  };
  show();
  await downloadPdfs(site, client, due, {
    signal: job.signal,
    onRequest: () => void tally.minimumInputs.pdfs++,
    onRecorded: (statement) => problems.clear(placeOf(statement)),
    onStored(pdfs) {
      tally.recordRows('pdf', { inserted: pdfs, changed: 0 });
      done += pdfs;
      shown();
    },
    onFailed(statement, error) {
      const failure = toUnitError(error);
      if (failure === null || tally.answered === 0) throw error;
      if (failure.code !== 'not_found') tally.failureLimit.recordFailure(failure);
      commit(cache, () => problems.record(placeOf(statement), failure.message, null));
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
