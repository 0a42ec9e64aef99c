import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PacingOptions } from '../../billing/index.ts';
import { contractError, type Outputs } from '../../contract/index.ts';
import type { Changes } from '../jobs/changes.ts';
import { connectSite } from '../sites/connection.ts';
import type { Stores } from '../sites/stores.ts';
import type { ShellClient } from '../start.ts';
import { latestPdf } from '../store/pdf.ts';
import { heldStatement } from '../store/statementNeeds.ts';
import { fetchPdf } from './fetchPdf.ts';
import { pdfPath, settleArchive } from './store.ts';

export interface PdfTools {
  shell: ShellClient;
  stores: Stores;
  changes: Changes;
  pacing?: PacingOptions | undefined;
  now: () => number;
}

/** The PDF of a statement, from the archive, or fetched into it where it is not held as the statement is now. */
export async function providePdf(
  tools: PdfTools,
  site: string,
  id: number,
  signal: AbortSignal | undefined,
): Promise<Outputs['statements']['fetchPdf']> {
  const { shell, stores, changes } = tools;
  const open = stores.open(site);
  const statement = heldStatement(open.cache, id);
  if (statement === null) throw contractError(notHeld(site, id));
  const kept = latestPdf(open.cache, id);
  const current =
    kept !== null &&
    statement.state !== 0 &&
    (kept.statement_updated_at ?? -1) >= (statement.updated_at ?? -1) &&
    existsSync(pdfPath(open.folder, kept.sha256));
  if (current) return offered(shell, site, id, kept);

  const client = connectSite(tools, open, { signal });
  try {
    const fetched = await fetchPdf(open, client, statement, signal);
    await settleArchive(open.folder, [fetched.sha256]);
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
  return { held: true, sha256, fetched_at: new Date(fetched_at).toISOString(), file };
}

function notHeld(site: string, id: number) {
  return {
    code: 'not_found' as const,
    message: `Statement ${id} is not held for ${site}.`,
    hint: 'Sync the site, then try again.',
    retryable: false,
  };
}
