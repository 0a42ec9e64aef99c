import { BillingError } from '../../billing/errors.ts';
import type { Job, StatementFilter } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite } from '../sites/stores.ts';
import { candidatesForExport } from '../store/archive/export-candidates.ts';
import { type DuePdf, withoutPdfAmong } from '../store/statements/statement-needs.ts';
import type { WriterContext } from '../writer-context.ts';
import { fetchPdfs } from './fetch-pdfs.ts';

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
  if (filter.search !== undefined) await tools.indexing.finish(job.site, 'statements', job.signal);
  const { cache } = open;
  const due: DuePdf[] = [];
  for (const chunk of candidatesForExport(cache, filter)) {
    due.push(
      ...withoutPdfAmong(
        cache,
        chunk.map(({ id }) => id),
      ),
    );
  }
  const client = connectSite(tools, open, { signal: job.signal });
  const lacking: number[] = [];
  let done = 0;
  const show = () => job.progress('pdf', { done, total: due.length, failed: lacking.length });
  const shown = () => {
    show();
    tools.changes.tell(job.site, 'archive');
  };
  show();
  try {
    await fetchPdfs(open, client, due, {
      signal: job.signal,
      fetched(pdfs) {
        done += pdfs;
        shown();
      },
      failed({ id }, error) {
        if (!(error instanceof BillingError) || error.code !== 'not_found') throw error;
        lacking.push(id);
        shown();
      },
    });
  } finally {
    await client.close();
  }
  const gone =
    lacking.length === 0
      ? ''
      : `; of ${lacking.length} the service has none (${lacking.slice(0, 5).join(', ')})`;
  return `${counted(done, 'PDF')} fetched${gone}.`;
}
