import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractInputs, OneTimeFileHandle } from '../../contract/index.ts';
import { formatIncidentReport } from '../../domain/webhooks/incident-report.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { requireRecord } from '../shared/require-record.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { ReaderContext } from '../sites/reader-context.ts';
import { getIncidentDetail } from '../store/incidents/incident-detail.ts';

/** Writes the post-mortem report of an incident and offers it as a one-time file. */
export async function offerIncidentReport(
  context: ReaderContext,
  { site, id, format }: ContractInputs['incidents']['report'],
): Promise<OneTimeFileHandle> {
  const { folder, text } = context.stores.read(site, ({ cache, books, folder, file }) => {
    const incident = requireRecord(
      getIncidentDetail(cache, books, id),
      `incident ${id}`,
      'See the list of incidents.',
    );
    const made = { siteTitle: file.title, madeAt: formatTimestamp(Date.now()) };
    const text =
      format === 'md' ? formatIncidentReport(incident, made) : `${JSON.stringify(incident, null, 2)}\n`;
    return { folder, text };
  });
  const exportFolder = join(folder, 'exports');
  mkdirSync(exportFolder, { recursive: true, mode: 0o700 });
  const name = `incident-${id}.${format}`;
  writeFileDurably(join(exportFolder, name), text);
  const type = format === 'md' ? 'text/markdown' : 'application/json';
  return context.shell.blobs.offer({ path: join(exportFolder, name), name, type });
}
