import type { ReportFile, ReportFormat } from '../../contract/index.ts';
import { toWriteBuffers } from '../bagit/folder-target.ts';
import { hashFile } from '../bagit/read-files.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { openSiteSnapshot } from '../workpaper/site-snapshot.ts';
import { formatReportCsv } from './report-csv.ts';
import { formatReportJson } from './report-json.ts';
import { createReportSource, type ReportSource } from './report-source.ts';
import { writeFileAtomically } from './target-file.ts';

/** Media type per format. */
export const REPORT_MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
};

/** Writes the report in a format to a file, completely or not at all. */
export async function writeReportFile(
  source: ReportSource,
  format: ReportFormat,
  targetPath: string,
): Promise<{ pages: number | null }> {
  switch (format) {
    case 'csv':
      await writeFileAtomically(targetPath, toWriteBuffers(formatReportCsv(source)));
      return { pages: null };
    case 'json':
      await writeFileAtomically(targetPath, toWriteBuffers(formatReportJson(source)));
      return { pages: null };
    case 'xlsx': {
      const { renderReportXlsx } = await import('./report-xlsx.ts');
      await writeFileAtomically(targetPath, [await renderReportXlsx(source)]);
      return { pages: null };
    }
    case 'pdf': {
      const { renderReportPdf } = await import('./report-pdf.ts');
      const pages = withReturnValue(renderReportPdf(source));
      await writeFileAtomically(targetPath, pages.pieces());
      return { pages: pages.count() };
    }
  }
}

/** Wraps a generator, so that its return value can be read after the last piece. */
function withReturnValue(generator: AsyncGenerator<Uint8Array, number, undefined>) {
  let count = 0;
  return {
    async *pieces() {
      for (;;) {
        const step = await generator.next();
        if (step.done) {
          count = step.value;
          return;
        }
        yield step.value;
      }
    },
    count: () => count,
  };
}

/** Writes the report of a period from one snapshot of the site. */
export async function writeReport(
  site: { folder: string; file: SiteFile },
  { period, format, targetPath }: { period: string; format: ReportFormat; targetPath: string },
  stamp: { now: number; version: string },
): Promise<ReportFile> {
  const snapshot = openSiteSnapshot(site);
  try {
    const source = await createReportSource(snapshot, period, stamp);
    const { pages } = await writeReportFile(source, format, targetPath);
    const { sha256, bytes } = await hashFile(targetPath);
    return { path: targetPath, format, bytes, sha256, digest: source.workpaper.digest, pages };
  } finally {
    snapshot.close();
  }
}

/**
 * Returns the file name of a report, for example `Acme 2026-10.pdf`. Characters that are not allowed in file names are
 * replaced.
 */
export function formatReportFileName(title: string, period: string, format: ReportFormat): string {
  const plain = title.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').trim();
  return `${plain === '' ? 'Reconciliation' : plain} ${period}.${format}`;
}
