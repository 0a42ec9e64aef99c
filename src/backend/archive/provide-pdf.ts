import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PacingOptions } from '../../billing/index.ts';
import { contractError, type Inputs, type Outputs } from '../../contract/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { ShellClient } from '../shared/start-options.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { type Deletion, lastDeletion } from '../store/archive/archive-deleted.ts';
import { latestPdf } from '../store/archive/pdf.ts';
import { storedStatement } from '../store/statements/statement-needs.ts';
import { downloadAndRecordPdf } from './download-pdf.ts';
import { pdfPath, syncArchive } from './pdf-files.ts';

export interface ProvidePdfContext {
  shell: ShellClient;
  stores: SiteDatabases;
  changes: ChangeEvents;
  pacing?: PacingOptions | undefined;
  now: () => number;
}

/** Returns a statement's PDF from the archive. Downloads it first if the archive does not have the current version. */
export async function providePdf(
  tools: ProvidePdfContext,
  { site, id, again = false }: Inputs['statements']['fetchPdf'],
  signal: AbortSignal | undefined,
): Promise<Outputs['statements']['fetchPdf']> {
  const { shell, stores, changes } = tools;
  const open = stores.open(site);
  const statement = storedStatement(open.cache, id);
  if (statement === null) throw contractError(statementNotStoredError(site, id));
  const storedPdf = latestPdf(open.cache, id);
  const current =
    storedPdf !== null &&
    statement.state !== 0 &&
    (storedPdf.statement_updated_at ?? -1) >= (statement.updated_at ?? -1) &&
    existsSync(pdfPath(open.folder, storedPdf.sha256));
  if (current) return offerPdf(shell, site, id, storedPdf);
  const deletion = again ? null : lastDeletion(open.books, id);
  if (storedPdf === null && deletion !== null) throw contractError(pdfDeletedError(id, deletion));

  const client = createSiteConnection(tools, open, { signal });
  try {
    const fetched = await downloadAndRecordPdf(open, client, statement, signal);
    await syncArchive(open.folder, [fetched.sha256]);
    changes.emit(site, 'archive');
    return await offerPdf(shell, site, id, fetched);
  } finally {
    await client.close();
  }
}

async function offerPdf(
  shell: ShellClient,
  site: string,
  id: number,
  { sha256, fetched_at }: { sha256: string; fetched_at: number },
): Promise<Outputs['statements']['fetchPdf']> {
  const file = await shell.blobs.offer({
    path: pdfPath(join('sites', site), sha256),
    name: `statement-${id}.pdf`,
    type: 'application/pdf',
  });
  return { stored: true, sha256, fetched_at: new Date(fetched_at).toISOString(), file };
}

function pdfDeletedError(id: number, { deleted_at, deleted_by, reason }: Deletion) {
  return {
    code: 'conflict' as const,
    message: `The PDF of statement ${id} was deleted by ${deleted_by} on ${formatTimestamp(deleted_at).slice(0, 10)}: ${reason}`,
    hint: `It is not fetched again by itself. To have it all the same: tieout statements pdf ${id} --redownload-deleted -o FILE`,
    retryable: false,
  };
}

function statementNotStoredError(site: string, id: number) {
  return {
    code: 'not_found' as const,
    message: `Statement ${id} is not held for ${site}.`,
    hint: 'Sync the site, then try again.',
    retryable: false,
  };
}
