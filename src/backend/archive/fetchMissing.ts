import { BillingError } from '../../billing/errors.ts';
import type { Job, StatementFilter } from '../../contract/index.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite } from '../sites/stores.ts';
import { candidatesForExport } from '../store/exportCandidates.ts';
import { type DuePdf, withoutPdfAmong } from '../store/statementNeeds.ts';
import { AT_ONCE, createWorkers } from '../sync/workers.ts';
import type { WriterContext } from '../writerContext.ts';
import { fetchPdf } from './fetchPdf.ts';
import { clearIncoming, settleArchive } from './store.ts';

/** Fetches the PDFs of a filter's closed statements that are not in the archive as the statements are now. */
export function startFetch(tools: WriterContext, site: string, filter: StatementFilter): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'archive',
    what: 'fetching PDFs',
    books: open.books,
    run: (job) => fetchMissing(tools, open, job, filter),
  });
}

async function fetchMissing(
  tools: WriterContext,
  open: OpenSite,
  job: JobHandle,
  filter: StatementFilter,
): Promise<string> {
  const { cache, folder } = open;
  const due: DuePdf[] = [];
  for (const chunk of candidatesForExport(cache, filter)) {
    due.push(
      ...withoutPdfAmong(
        cache,
        chunk.map(({ id }) => id),
      ),
    );
  }
  clearIncoming(folder);
  const client = connectSite(tools, open, { signal: job.signal });
  const ends = new AbortController();
  const signal = AbortSignal.any([job.signal, ends.signal]);
  const added = new Map<string, string>();
  const lacking: number[] = [];
  let done = 0;
  const show = () => job.progress('pdf', { done, total: due.length, failed: lacking.length });
  show();
  const queue = due.values();

  async function fetch(statement: DuePdf): Promise<void> {
    try {
      const { sha256 } = await fetchPdf(open, client, statement, signal);
      added.set(sha256.slice(0, 2), sha256);
      done++;
    } catch (error) {
      if (!(error instanceof BillingError) || error.code !== 'not_found') throw error;
      lacking.push(statement.id);
    }
    show();
    tools.changes.tell(job.site, 'archive');
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
    await client.close();
  }
  const gone =
    lacking.length === 0
      ? ''
      : `; of ${lacking.length} the service has none (${lacking.slice(0, 5).join(', ')})`;
  return `${done} ${done === 1 ? 'PDF' : 'PDFs'} fetched${gone}.`;
}
