import type { BillingClient } from '../../billing/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addStatementPdf, type StoredPdf } from '../store/archive/statement-pdf.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { appendToRegister } from './archive-register.ts';
import { storePdf } from './pdf-files.ts';

/** PDF that is stored in the archive but not yet recorded in the cache. */
export type UnrecordedPdf = Omit<StoredPdf, 'version'>;

/** Downloads a statement's PDF and stores it in the archive. The caller must record it with `recordPdfs`. */
export async function downloadPdf(
  folder: string,
  client: BillingClient,
  statement: { id: number; updated_at: number | null },
  signal: AbortSignal | undefined,
): Promise<UnrecordedPdf> {
  const pdf = await client.readStatementPdf(statement.id, signal === undefined ? {} : { signal });
  return {
    statement_id: statement.id,
    ...(await storePdf(folder, pdf, statement.id)),
    fetched_at: pdf.meta.started_at,
    statement_updated_at: statement.updated_at,
  };
}

/**
 * Records stored PDFs. A changed PDF becomes a new version, and the old version remains. `writeMore` can write more in
 * the same transaction.
 */
export function recordPdfs(
  { cache, folder }: Pick<OpenSite, 'cache' | 'folder'>,
  pdfs: readonly UnrecordedPdf[],
  writeMore: () => void = () => {},
): void {
  runInTransaction(cache, () => {
    const recorded = pdfs.map((pdf) => ({ ...pdf, version: addStatementPdf(cache, pdf) }));
    writeMore();
    appendToRegister(folder, recorded);
  });
}

/** Downloads a statement's PDF, stores it in the archive and records it. */
export async function downloadAndRecordPdf(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  client: BillingClient,
  statement: { id: number; updated_at: number | null },
  signal: AbortSignal | undefined,
): Promise<UnrecordedPdf> {
  const pdf = await downloadPdf(site.folder, client, statement, signal);
  recordPdfs(site, [pdf]);
  return pdf;
}
