import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PacingOptions } from '../../billing/index.ts';
import { contractError, type Inputs, type Outputs } from '../../contract/index.ts';
import type { Changes } from '../jobs/changes.ts';
import { connectSite } from '../sites/connection.ts';
import type { Stores } from '../sites/stores.ts';
import type { ShellClient } from '../start.ts';
import { type Deletion, lastDeletion } from '../store/archive/archive-deleted.ts';
import { latestPdf } from '../store/archive/pdf.ts';
import { isoMoment } from '../store/moment.ts';
import { heldStatement } from '../store/statements/statement-needs.ts';
import { fetchPdf } from './fetch-pdf.ts';
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
  { site, id, again = false }: Inputs['statements']['fetchPdf'],
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
  const deletion = again ? null : lastDeletion(open.books, id);
  if (kept === null && deletion !== null) throw contractError(deleted(id, deletion));

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

function deleted(id: number, { deleted_at, deleted_by, reason }: Deletion) {
  return {
    code: 'conflict' as const,
    message: `The PDF of statement ${id} was deleted by ${deleted_by} on ${isoMoment(deleted_at).slice(0, 10)}: ${reason}`,
    hint: `It is not fetched again by itself. To have it all the same: tieout statements pdf ${id} --again -o FILE`,
    retryable: false,
  };
}

function notHeld(site: string, id: number) {
  return {
    code: 'not_found' as const,
    message: `Statement ${id} is not held for ${site}.`,
    hint: 'Sync the site, then try again.',
    retryable: false,
  };
}
