import { BillingError } from '../../billing/errors/billing-error.ts';
import type { Job, StatementFilter } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { candidatesForExport } from '../store/archive/export-candidates.ts';
import type { Searched } from '../store/search/search-index.ts';
import { type DuePdf, withoutPdfAmong } from '../store/statements/statement-needs.ts';
import { downloadPdfs } from './download-pdfs.ts';

/** Dependencies for downloading PDFs. A search filter gives correct results only if the search index is complete. */
interface PdfDownloadContext extends CommandContext {
  readonly indexing: { indexAll(site: string, of: Searched, signal?: AbortSignal): Promise<void> };
}

/** Starts a job that downloads the missing or outdated PDFs of the closed statements that a filter selects. */
export function startPdfDownload(tools: PdfDownloadContext, site: string, filter: StatementFilter): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'archive',
    noun: 'fetching PDFs',
    books: open.books,
    run: (job) => downloadMissingPdfs(tools, open, job, filter),
  });
}

async function downloadMissingPdfs(
  tools: PdfDownloadContext,
  open: OpenSite,
  job: JobHandle,
  filter: StatementFilter,
): Promise<string> {
  if (filter.search !== undefined) await tools.indexing.indexAll(job.site, 'statements', job.signal);
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
  const client = createSiteConnection(tools, open, { signal: job.signal });
  const unavailable: number[] = [];
  let done = 0;
  const showProgress = () => job.progress('pdf', { done, total: due.length, failed: unavailable.length });
  const showChange = () => {
    showProgress();
    tools.changes.emit(job.site, 'archive');
  };
  showProgress();
  try {
    await downloadPdfs(open, client, due, {
      signal: job.signal,
      onStored(pdfs) {
        done += pdfs;
        showChange();
      },
      onFailed({ id }, error) {
        if (!(error instanceof BillingError) || error.code !== 'not_found') throw error;
        unavailable.push(id);
        showChange();
      },
    });
  } finally {
    await client.close();
  }
  const gone =
    unavailable.length === 0
      ? ''
      : `; of ${unavailable.length} the service has none (${unavailable.slice(0, 5).join(', ')})`;
  return `${formatCount(done, 'PDF')} fetched${gone}.`;
}
