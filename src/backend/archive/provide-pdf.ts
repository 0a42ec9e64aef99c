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
import { downloadAndRecordPdf } from './fetch-pdf.ts';
import { pdfPath, syncArchive } from './pdf-files.ts';

export interface ProvidePdfContext {
  shell: ShellClient;
  stores: SiteDatabases;
  changes: ChangeEvents;
  pacing?: PacingOptions | undefined;
  now: () => number;
}

/** Returns a statement's PDF from the archive. Downloads it first if the current version is not stored. */
export async function providePdf(
  tools: ProvidePdfContext,
  { site, id, again = false }: Inputs['statements']['fetchPdf'],
  signal: AbortSignal | undefined,
): Promise<Outputs['statements']['fetchPdf']> {
  const { shell, stores, changes } = tools;
  const open = stores.open(site);
  const statement = storedStatement(open.cache, id);
  if (statement === null) throw contractError(notStored(site, id));
  const kept = latestPdf(open.cache, id);
  const current =
    kept !== null &&
    statement.state !== 0 &&
    (kept.statement_updated_at ?? -1) >= (statement.updated_at ?? -1) &&
    existsSync(pdfPath(open.folder, kept.sha256));
  if (current) return offered(shell, site, id, kept);
  const deletion = again ? null : lastDeletion(open.books, id);
  if (kept === null && deletion !== null) throw contractError(deleted(id, deletion));

  const client = createSiteConnection(tools, open, { signal });
  try {
    const fetched = await downloadAndRecordPdf(open, client, statement, signal);
    await syncArchive(open.folder, [fetched.sha256]);
    changes.tell(site, 'archive');
    return await offered(shell, site, id, fetched);
  } finally {
    await client.close();
  }
}

async function offered(
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

function deleted(id: number, { deleted_at, deleted_by, reason }: Deletion) {
  return {
    code: 'conflict' as const,
    message: `The PDF of statement ${id} was deleted by ${deleted_by} on ${formatTimestamp(deleted_at).slice(0, 10)}: ${reason}`,
    hint: `It is not fetched again by itself. To have it all the same: tieout statements pdf ${id} --redownload-deleted -o FILE`,
    retryable: false,
  };
}

function notStored(site: string, id: number) {
  return {
    code: 'not_found' as const,
    message: `Statement ${id} is not held for ${site}.`,
    hint: 'Sync the site, then try again.',
    retryable: false,
  };
}
