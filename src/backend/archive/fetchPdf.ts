import type { BillingClient } from '../../billing/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { commit } from '../store/database.ts';
import { addPdf } from '../store/pdf.ts';
import { registerPdf } from './register.ts';
import { type ArchivedPdf, storePdf } from './store.ts';

/**
 * Fetches a statement's PDF into the archive and notes it. A new rendering becomes a new version beside the old one;
 * `also` is written with the note.
 */
export async function fetchPdf(
  { cache, folder }: Pick<OpenSite, 'cache' | 'folder'>,
  client: BillingClient,
  statement: { id: number; updated_at: number | null },
  signal: AbortSignal | undefined,
  also: () => void = () => {},
): Promise<ArchivedPdf & { fetched_at: number }> {
  const pdf = await client.readStatementPdf(statement.id, signal === undefined ? {} : { signal });
  const archived = await storePdf(folder, pdf, statement.id);
  const fetched_at = pdf.meta.started_at;
  commit(cache, () => {
    const noted = {
      statement_id: statement.id,
      ...archived,
      fetched_at,
      statement_updated_at: statement.updated_at,
    };
    registerPdf(folder, { ...noted, version: addPdf(cache, noted) });
    also();
  });
  return { ...archived, fetched_at };
}
