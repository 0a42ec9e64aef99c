import { downloadPdfs } from '../archive/download-pdfs.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { listStatementsWithoutPdf } from '../store/statements/statements-to-fetch.ts';
import { readSyncPartState, saveSyncPartState } from '../store/sync/sync-unit.ts';
import type { SyncContext } from './shared/sync-context.ts';
import { SyncProblemRecorder } from './shared/sync-problems.ts';
import { toSyncUnitError } from './shared/sync-unit-errors.ts';

/** Downloads the missing PDFs of closed and settled statements, newest first. Returns true if all PDFs are stored. */
export async function syncPdfs(context: SyncContext): Promise<boolean> {
  const { site, client, job, tally, now } = context;
  const { cache } = site;
  const began = now();
  const stored = readSyncPartState(cache, 'pdf');
  const missing = listStatementsWithoutPdf(cache);
  const problems = new SyncProblemRecorder(cache, { part: 'pdf', job: job.id, now });
  const getLocation = ({ id }: { id: number }) => `PDF of statement ${id}`;

  let done = 0;
  let failed = 0;
  const showProgress = () => job.progress('pdf', { done, total: missing.length, failed, current: null });
  const reportChange = () => {
    showProgress();
    context.emit('archive');
  };
  showProgress();
  await downloadPdfs(site, client, missing, {
    signal: job.signal,
    onRequest: () => void tally.minimumInputs.pdfs++,
    onRecorded: (statement) => problems.clear(getLocation(statement)),
    onStored(pdfs) {
      tally.recordRows('pdf', { inserted: pdfs, changed: 0 });
      done += pdfs;
      reportChange();
    },
    onFailed(statement, error) {
      const failure = toSyncUnitError(error);
      if (failure === null || tally.answered === 0) throw error;
      if (failure.code !== 'not_found') tally.failureLimit.recordFailure(failure);
      runInTransaction(cache, () => problems.record(getLocation(statement), failure.message, null));
      failed++;
      reportChange();
    },
  });
  tally.failed += failed;
  const complete = failed === 0;
  saveSyncPartState(cache, 'pdf', {
    synced_at: complete ? began : (stored?.synced_at ?? null),
    expected: null,
    complete,
    checkpoint: null,
  });
  return complete;
}
