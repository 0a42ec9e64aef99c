import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractInputs, OneTimeFileHandle } from '../../contract/index.ts';
import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import type { ReadOnlySite } from '../sites/read-only-databases.ts';
import type { ReaderContext } from '../sites/reader-context.ts';
import {
  deriveMissingWebhooks,
  describeReport,
  type MissingWebhookReport,
  toMissingWebhookRow,
} from './derive-missing-webhooks.ts';

const NOTICE =
  'Tieout reconstructed these webhooks from stored records. The billing service has not generated, sent or signed them.';

const COLUMNS = [
  ...(['reconstructed', 'status', 'reason', 'id', 'event', 'at', 'subscription_id'] as const),
  ...(['transaction_id', 'statement_id', 'component_id', 'event_id', 'sources', 'body'] as const),
] as const;

/** Writes all reconstructed webhooks of a time range to a file, with what is unknown, and offers it as a one-time file. */
export async function offerMissingWebhooks(
  context: ReaderContext,
  { site: name, range, format }: ContractInputs['missingWebhooks']['export'],
): Promise<OneTimeFileHandle> {
  const { folder, text, from } = context.stores.read(name, (site) => {
    const report = deriveMissingWebhooks(site, range, Date.now());
    const text = format === 'csv' ? formatCsv(report, site) : formatJson(report, site);
    return { folder: site.folder, text, from: describeReport(report).from };
  });
  const exportFolder = join(folder, 'exports');
  mkdirSync(exportFolder, { recursive: true, mode: 0o700 });
  const file = `reconstructed-webhooks-${from.slice(0, 10)}.${format}`;
  writeFileDurably(join(exportFolder, file), text);
  const type = format === 'csv' ? 'text/csv' : 'application/json';
  return context.shell.blobs.offer({ path: join(exportFolder, file), name: file, type });
}

function formatJson(report: MissingWebhookReport, site: ReadOnlySite): string {
  const head = { reconstructed: true, notice: NOTICE, site: site.file.site, ...describeReport(report) };
  const rows = report.webhooks.map((webhook) => JSON.stringify(toMissingWebhookRow(webhook, site)));
  return `${JSON.stringify(head).slice(0, -1)},\n"webhooks":[${rows.map((row) => `\n${row}`).join(',')}\n]}\n`;
}

/** Formats a row per webhook, then a row per event of which more webhooks may be missing. */
function formatCsv({ webhooks, unknown }: MissingWebhookReport, site: ReadOnlySite): string {
  const rows: Record<string, unknown>[] = webhooks.map((webhook) => {
    const { uncertainty, sources, ...row } = toMissingWebhookRow(webhook, site);
    const status = uncertainty === null ? 'missing' : 'unconfirmed';
    return { ...row, status, reason: uncertainty, sources: sources.join(' ') };
  });
  for (const { event, reason } of unknown) rows.push({ status: 'unknown', event, reason });
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column]?.toString() ?? null))]
    .map(formatCsvRow)
    .join('');
}
