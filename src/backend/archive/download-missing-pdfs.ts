import { BillingError } from '../../billing/errors/billing-error.ts';
import type { Job, StatementFilter } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { readExportCandidates } from '../store/archive/export-candidates.ts';
import type { SearchableRecordKind } from '../store/search/search-index.ts';
import { filterStatementsWithoutPdf, type PendingPdf } from '../store/statements/statements-to-fetch.ts';
import { downloadPdfs } from './download-pdfs.ts';

/** Dependencies for downloading PDFs. Search filters give correct results only if the search index is complete. */
interface PdfDownloadContext extends CommandContext {
  readonly indexing: {
    indexAll(site: string, of: SearchableRecordKind, signal?: AbortSignal): Promise<void>;
  };
}

/** Starts a job that downloads the missing or outdated PDFs of the closed statements that a filter selects. */
export function startPdfDownload(context: PdfDownloadContext, site: string, filter: StatementFilter): Job {
  const open = context.stores.open(site);
  return context.jobs.start({
    site,
    kind: 'archive',
    noun: 'downloading PDFs',
    books: open.books,
    run: (job) => downloadMissingPdfs(context, open, job, filter),
  });
}

async function downloadMissingPdfs(
  context: PdfDownloadContext,
  open: OpenSite,
  job: JobHandle,
  filter: StatementFilter,
): Promise<string> {
  if (filter.search !== undefined) await context.indexing.indexAll(job.site, 'statements', job.signal);
  const { cache } = open;
  const due: PendingPdf[] = [];
  for (const chunk of readExportCandidates(cache, filter)) {
    const ids = chunk.map(({ id }) => id);
    due.push(...filterStatementsWithoutPdf(cache, ids));
  }
  const client = createSiteConnection(context, open, { signal: job.signal });
  const unavailable: number[] = [];
  let done = 0;
  const publishProgress = () => job.progress('pdf', { done, total: due.length, failed: unavailable.length });
  const publishChange = () => {
    publishProgress();
    context.changes.emit(job.site, 'archive');
  };
  publishProgress();
  try {
    await downloadPdfs(open, client, due, {
      signal: job.signal,
      onStored(pdfs) {
        done += pdfs;
        publishChange();
      },
      onFailed({ id }, error) {
        if (!(error instanceof BillingError) || error.code !== 'not_found') throw error;
        unavailable.push(id);
        publishChange();
      },
    });
  } finally {
    await client.close();
  }
  const gone =
    unavailable.length === 0
      ? ''
      : `; the service has no PDF of ${unavailable.length} (${unavailable.slice(0, 5).join(', ')})`;
  return `${formatCount(done, 'PDF')} downloaded${gone}.`;
}
