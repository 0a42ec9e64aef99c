import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ContractInputs, type ContractOutputs, createNonRetryableError } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { ShellClient } from '../shared/backend-start-options.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import { findLastPdfDeletion, type PdfDeletion } from '../store/archive/deleted-pdfs.ts';
import { findLatestPdf } from '../store/archive/statement-pdf.ts';
import { findStoredStatement } from '../store/statements/statements-to-fetch.ts';
import { downloadAndRecordPdf } from './download-pdf.ts';
import { flushArchiveToDisk, getPdfPath } from './pdf-files.ts';

/** Returns a statement's PDF from the archive. Downloads it first if the archive does not have the current version. */
export async function providePdf(
  context: CommandContext,
  { site, id, again = false }: ContractInputs['statements']['fetchPdf'],
  signal: AbortSignal | undefined,
): Promise<ContractOutputs['statements']['fetchPdf']> {
  const { shell, stores, changes } = context;
  const open = stores.open(site);
  const statement = findStoredStatement(open.cache, id);
  if (statement === null) {
    const message = `Statement ${id} of ${site} is not stored.`;
    throw createNonRetryableError('not_found', message, 'Sync the site, then try again.');
  }
  const storedPdf = findLatestPdf(open.cache, id);
  const current =
    storedPdf !== null &&
    statement.state !== 0 &&
    (storedPdf.statement_updated_at ?? -1) >= (statement.updated_at ?? -1) &&
    existsSync(getPdfPath(open.folder, storedPdf.sha256));
  if (current) return offerPdf(shell, site, id, storedPdf);
  const deletion = again ? null : findLastPdfDeletion(open.books, id);
  if (storedPdf === null && deletion !== null) throw pdfDeletedError(id, deletion);

  const client = createSiteConnection(context, open, { signal });
  try {
    const fetched = await downloadAndRecordPdf(open, client, statement, signal);
    await flushArchiveToDisk(open.folder, [fetched.sha256]);
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
): Promise<ContractOutputs['statements']['fetchPdf']> {
  const file = await shell.blobs.offer({
    path: getPdfPath(join('sites', site), sha256),
    name: `statement-${id}.pdf`,
    type: 'application/pdf',
  });
  return { stored: true, sha256, fetched_at: new Date(fetched_at).toISOString(), file };
}

function pdfDeletedError(id: number, { deleted_at, deleted_by, reason }: PdfDeletion): Error {
  return createNonRetryableError(
    'conflict',
    `The PDF of statement ${id} was deleted by ${deleted_by} on ${formatTimestamp(deleted_at).slice(0, 10)}: ${reason}`,
    `It is not downloaded again automatically. To download it anyway: tieout statements pdf ${id} --redownload-deleted -o FILE`,
  );
}
