import { mkdir } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import type { ReportFile, ReportFormat } from '../../contract/index.ts';
import { toWriteBuffers } from '../bagit/folder-target.ts';
import { type OutputFile, type WrittenOutput, writeOutputFile } from '../shared/output-file.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { openSiteSnapshot } from '../workpaper/site-snapshot.ts';
import { isAuditorExport, writeAuditorExport } from './auditor-exports/write-auditor-export.ts';
import { formatReportCsv } from './report-csv.ts';
import { formatReportJson } from './report-json.ts';
import { createReportSource, type PeriodEvidence } from './report-source.ts';

/** Media type per format. */
export const REPORT_MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  gobd: 'application/zip',
  ads: 'application/zip',
};

/** End of the file name per format. */
const FILE_ENDINGS: Readonly<Record<ReportFormat, string>> = {
  ...{ pdf: '.pdf', xlsx: '.xlsx', csv: '.csv', json: '.json' },
  ...{ gobd: ' GoBD.zip', ads: ' ADS.zip' },
};

/** Returns how the file of a report is named and written: its extension, and whether it must be a regular file. */
export const getReportFileOptions = (format: ReportFormat) => ({
  extension: extname(FILE_ENDINGS[format]),
  isSeekable: isAuditorExport(format),
});

/** Writes a report to a file, completely or not at all. `pages` is the number of pages of a PDF, otherwise null. */
export async function writeReportFile(
  source: PeriodEvidence,
  format: ReportFormat,
  output: OutputFile,
): Promise<WrittenOutput & { pages: number | null }> {
  if (isAuditorExport(format)) return { ...(await writeAuditorExport(source, format, output)), pages: null };
  let pages: number | null = null;
  async function* renderPdf() {
    const { renderReportPdf } = await import('./report-pdf.ts');
    pages = yield* renderReportPdf(source);
  }
  async function* renderXlsx() {
    const { renderReportXlsx } = await import('./report-xlsx.ts');
    yield await renderReportXlsx(source);
  }
  const render = {
    csv: () => toWriteBuffers(formatReportCsv(source)),
    json: () => toWriteBuffers(formatReportJson(source)),
    xlsx: renderXlsx,
    pdf: renderPdf,
  };
  const written = await writeOutputFile(output, render[format]());
  return { ...written, pages };
}

/** Writes the report of a period from one snapshot of the site. */
export async function writeReport(
  site: { folder: string; file: SiteFile },
  { period, format, output }: { period: string; format: ReportFormat; output: OutputFile },
  stamp: { now: number; version: string },
): Promise<ReportFile> {
  const snapshot = openSiteSnapshot(site);
  try {
    const source = await createReportSource(snapshot, period, stamp);
    if (!output.isStream) await mkdir(dirname(output.path), { recursive: true });
    const { sha256, bytes, pages } = await writeReportFile(source, format, output);
    return { path: output.path, format, bytes, sha256, digest: source.workpaper.digest, pages };
  } finally {
    snapshot.close();
  }
}

/** Returns the file name of a report, for example `Acme 2026-10.pdf`. Special characters are replaced. */
export function formatReportFileName(title: string, period: string, format: ReportFormat): string {
  const plain = title.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').trim();
  return `${plain === '' ? 'Reconciliation' : plain} ${period}${FILE_ENDINGS[format]}`;
}
