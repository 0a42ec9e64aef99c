import type { BillingClient } from '../../billing/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { addPdf, type StoredPdf } from '../store/archive/pdf.ts';
import { commit } from '../store/database.ts';
import { registerPdfs } from './register.ts';
import { storePdf } from './store.ts';

/** A rendering that stands in the archive and is not noted yet. */
export type TakenPdf = Omit<StoredPdf, 'version'>;

/** Fetches a statement's PDF and puts it into the archive, durable; it is to be noted by `notePdfs`. */
export async function takePdf(
  folder: string,
  client: BillingClient,
  statement: { id: number; updated_at: number | null },
  signal: AbortSignal | undefined,
): Promise<TakenPdf> {
  const pdf = await client.readStatementPdf(statement.id, signal === undefined ? {} : { signal });
  return {
    statement_id: statement.id,
    ...(await storePdf(folder, pdf, statement.id)),
    fetched_at: pdf.meta.started_at,
    statement_updated_at: statement.updated_at,
  };
}

/**
 * Notes renderings that stand in the archive. One that is new becomes a new version beside the old one; `also` is written
 * with the notes.
 */
export function notePdfs(
  { cache, folder }: Pick<OpenSite, 'cache' | 'folder'>,
  taken: readonly TakenPdf[],
  also: () => void = () => {},
): void {
  commit(cache, () => {
    const noted = taken.map((pdf) => ({ ...pdf, version: addPdf(cache, pdf) }));
    also();
    registerPdfs(folder, noted);
  });
}

/** Fetches a statement's PDF into the archive and notes it. */
export async function fetchPdf(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  client: BillingClient,
  statement: { id: number; updated_at: number | null },
  signal: AbortSignal | undefined,
): Promise<TakenPdf> {
  const taken = await takePdf(site.folder, client, statement, signal);
  notePdfs(site, [taken]);
  return taken;
}
