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
import { downloadPdfs } from './fetch-pdfs.ts';

/** Dependencies for downloading PDFs. A search filter needs a complete search index. */
interface FetchTools extends CommandContext {
  readonly indexing: { finish(site: string, of: Searched, signal?: AbortSignal): Promise<void> };
}

/** Downloads the missing or outdated PDFs of a filter's closed statements. */
export function startPdfDownload(tools: FetchTools, site: string, filter: StatementFilter): Job {
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
  tools: FetchTools,
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
  const client = createSiteConnection(tools, open, { signal: job.signal });
  const lacking: number[] = [];
  let done = 0;
  const show = () => job.progress('pdf', { done, total: due.length, failed: lacking.length });
  const shown = () => {
    show();
    tools.changes.tell(job.site, 'archive');
  };
  show();
  try {
    await downloadPdfs(open, client, due, {
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
  return `${formatCount(done, 'PDF')} fetched${gone}.`;
}
