import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ReportFile, ReportFormat } from '../../contract/index.ts';
import { toWriteBuffers } from '../bagit/folder-target.ts';
import { type OutputFile, type WrittenOutput, writeOutputFile } from '../shared/output-file.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { openSiteSnapshot } from '../workpaper/site-snapshot.ts';
import { formatReportCsv } from './report-csv.ts';
import { formatReportJson } from './report-json.ts';
import { createReportSource, type ReportSource } from './report-source.ts';

/** Media type per format. */
export const REPORT_MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
};

/** Writes a report to a file, completely or not at all. `pages` is the number of pages of a PDF, otherwise null. */
export async function writeReportFile(
  source: ReportSource,
  format: ReportFormat,
  output: OutputFile,
): Promise<WrittenOutput & { pages: number | null }> {
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
  return `${plain === '' ? 'Reconciliation' : plain} ${period}.${format}`;
}
