import type { ArchiveExport, ArchiveSummary } from '../../contract/archive/archive.ts';
import type { ArchiveFile, ArchiveHold, DeletionPreview } from '../../contract/archive/retention.ts';
import { formatBytes, formatCount, formatMinute, formatNumber } from '../output/format-values.ts';
import { createCountColumn, type TableColumn } from '../output/table.ts';
import type { TextLines } from '../output/terminal-text.ts';

export function formatExportPlan({
  description,
  count,
  not_stored,
  bytes,
  ...plan
}: ArchiveExport): TextLines {
  return [
    `${formatCount(count, 'statement')} (${description}), ${formatBytes(bytes)}, to ${plan.target.path}`,
    formatMissingPdfs(not_stored),
    `File names by template ${plan.template}, for example:`,
    plan.names.map((name) => `  ${name}`),
  ];
}

export function formatExportResult({ target, result, not_stored }: ArchiveExport): TextLines {
  if (result === null) return [];
  const { written, unchanged, from_earlier_exports: earlier, problems, files, bytes } = result;
  const details = [
    unchanged > 0 ? `, ${formatNumber(unchanged)} unchanged` : '',
    earlier > 0 ? `, ${formatCount(earlier, 'file')} from earlier exports left in place` : '',
  ];
  return [
    `${target.path}: ${formatCount(written, 'PDF')} written${details.join('')}.`,
    formatMissingPdfs(not_stored),
    result.damaged.map((name) => `Damaged in the archive, not exported: ${name}`),
    problems === 0
      ? `Export verified: ${formatCount(files, 'file')}, ${formatBytes(bytes)}.`
      : `Verification found ${formatCount(problems, 'problem')}. For details, run: tieout verify ${target.path}`,
    `Checksum: ${result.checksum}`,
  ];
}

/** Formats the number of statements without a PDF. Returns false if there are none. */
export const formatMissingPdfs = (statements: number): string | false =>
  statements > 0 &&
  `Statements without a PDF in the archive, listed only in the index: ${formatNumber(statements)}. Download their PDFs with: tieout archive fetch`;

export function formatArchiveSummary(summary: ArchiveSummary): TextLines {
  const { statements, stored, files, bytes, versions, checked, oldest_check, wrong } = summary;
  return [
    `PDFs stored for ${formatNumber(stored)} of ${formatCount(statements, 'closed statement')}: ${formatCount(files, 'file')}, ${formatBytes(bytes)}, ${formatCount(versions, 'version')}.`,
    formatRetention(summary),
    oldest_check === null
      ? `Files checked since they were stored: ${formatNumber(checked)} of ${formatNumber(files)}. Check all with: tieout archive check --full`
      : `Every file was last checked on or after ${formatMinute(oldest_check)} UTC.`,
    wrong.map(
      ({ sha256, state, ...file }) => `${state}: ${sha256}, PDF of statement ${file.statements.join(', ')}`,
    ),
    wrong.length > 0 && 'Download them again with: tieout archive repair',
  ];
}

function formatRetention(summary: ArchiveSummary): TextLines {
  const { oldest, newest, on_hold, past_retention, retention_years, deleted, lost } = summary;
  const retention =
    retention_years === null ? 'unlimited' : `${formatCount(retention_years, 'year')} from the document date`;
  return [
    oldest !== null && `Documents dated ${oldest} to ${newest}. Retention: ${retention}.`,
    on_hold > 0 &&
      `${formatCount(on_hold, 'statement')} on hold. List legal holds with: tieout archive holds`,
    past_retention > 0 &&
      `${formatCount(past_retention, 'statement')} past retention and not on hold. List them with: tieout archive files --past-retention`,
    deleted > 0 && `The PDFs of ${formatCount(deleted, 'statement')} were deleted manually.`,
    lost > 0 &&
      `Damaged or missing files of older PDF versions: ${formatNumber(lost)}. They cannot be downloaded again.`,
  ];
}

/** Maximum number of listed statements whose PDFs cannot be deleted. Chosen by judgment. */
const MAX_LISTED_REFUSALS = 50;

/** Formats the preview of a deletion, including the reasons that prevent it. */
export function formatDeletionPreview(preview: DeletionPreview): TextLines {
  const { statements, versions, bytes, oldest, newest, refused } = preview;
  const dates = oldest === null ? '' : `, documents dated ${oldest} to ${newest}`;
  const hidden = refused.length - MAX_LISTED_REFUSALS;
  return [
    `${formatCount(statements, 'statement')}, ${formatCount(versions, 'version')}, ${formatBytes(bytes)}${dates}.`,
    refused
      .slice(0, MAX_LISTED_REFUSALS)
      .map(({ statement, reason }) => `Cannot be deleted: statement ${statement}: ${reason}`),
    hidden > 0 && `… and ${formatNumber(hidden)} more that cannot be deleted`,
    refused.length > 0
      ? 'Nothing was deleted. Remove the statements that cannot be deleted from the list.'
      : 'Nothing was deleted. To delete the PDFs, add --confirm --reason TEXT.',
  ];
}

export const archiveExportColumns: TableColumn<ArchiveExport>[] = [
  { header: 'export', cell: (row) => row.export },
  { header: 'created (UTC)', cell: ({ made_at }) => formatMinute(made_at) },
  { header: 'state', cell: ({ state }) => state },
  createCountColumn('statements', ({ count }) => count),
  { header: 'size', cell: ({ bytes }) => formatBytes(bytes), align: 'right' },
  { header: 'selection', cell: ({ description }) => description, minWidth: 16 },
  { header: 'destination', cell: ({ target }) => target.path, minWidth: 16 },
];

export const archiveFileColumns: TableColumn<ArchiveFile>[] = [
  { header: 'statement', cell: ({ statement }) => statement, align: 'right' },
  { header: 'subscription', cell: ({ subscription }) => subscription, align: 'right', isOptional: true },
  { header: 'customer', cell: ({ customer }) => customer, minWidth: 12 },
  { header: 'date', cell: ({ date }) => date },
  { header: 'retain until', cell: ({ kept_until }) => kept_until ?? 'unlimited' },
  { header: 'versions', cell: ({ versions }) => versions.length, align: 'right' },
  { header: 'size', cell: ({ bytes }) => formatBytes(bytes), align: 'right' },
  { header: 'state', cell: ({ versions }) => versions.at(-1)?.state, isOptional: true },
  { header: 'hold', cell: ({ hold }) => hold, minWidth: 8 },
];

export const legalHoldColumns: TableColumn<ArchiveHold>[] = [
  { header: 'hold', cell: ({ hold }) => hold, align: 'right' },
  {
    header: 'applies to',
    cell: ({ statement_id, subscription_id }) =>
      statement_id === null ? `subscription ${subscription_id}` : `statement ${statement_id}`,
  },
  { header: 'since (UTC)', cell: ({ placed_at }) => formatMinute(placed_at) },
  { header: 'placed by', cell: ({ placed_by }) => placed_by },
  { header: 'reason', cell: ({ reason }) => reason, minWidth: 16 },
  { header: 'released (UTC)', cell: ({ lifted_at }) => formatMinute(lifted_at), isOptional: true },
];
