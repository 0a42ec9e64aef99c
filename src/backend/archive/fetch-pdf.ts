import type { BillingClient } from '../../billing/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addPdf, type StoredPdf } from '../store/archive/pdf.ts';
import { commit } from '../store/sqlite/connection.ts';
import { storePdf } from './pdf-files.ts';
import { registerPdfs } from './register.ts';

/** A PDF that is stored in the archive but not recorded yet. */
export type UnrecordedPdf = Omit<StoredPdf, 'version'>;

/** Downloads a statement's PDF and stores it durably in the archive. Must be recorded with `notePdfs`. */
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
 * Records stored PDFs. A new rendering becomes a new version beside the old one. `also` writes in the same transaction.
 */
export function recordPdfs(
  { cache, folder }: Pick<OpenSite, 'cache' | 'folder'>,
  taken: readonly UnrecordedPdf[],
  also: () => void = () => {},
): void {
  commit(cache, () => {
    const noted = taken.map((pdf) => ({ ...pdf, version: addPdf(cache, pdf) }));
    also();
    registerPdfs(folder, noted);
  });
}

/** Downloads a statement's PDF into the archive and records it. */
export async function downloadAndRecordPdf(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  client: BillingClient,
  statement: { id: number; updated_at: number | null },
  signal: AbortSignal | undefined,
): Promise<UnrecordedPdf> {
  const taken = await downloadPdf(site.folder, client, statement, signal);
  recordPdfs(site, [taken]);
  return taken;
}
