import type { ReportFile, ReportFormat } from '../../contract/index.ts';
import { inWriteBuffers } from '../bagit/folder-sink.ts';
import { hashFile } from '../bagit/reading.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { snapshotOf } from '../workpaper/site-snapshot.ts';
import { reportCsv } from './csv.ts';
import { reportJson } from './json.ts';
import { writeFileAtomically } from './place.ts';
import { createReportSource, type ReportSource } from './source.ts';

/** Media type per format. */
export const REPORT_MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
};

/** Writes the report in a format to a path: complete or not at all. */
export async function writeReportFile(
  source: ReportSource,
  format: ReportFormat,
  place: string,
): Promise<{ pages: number | null }> {
  switch (format) {
    case 'csv':
      await writeFileAtomically(place, inWriteBuffers(reportCsv(source)));
      return { pages: null };
    case 'json':
      await writeFileAtomically(place, inWriteBuffers(reportJson(source)));
      return { pages: null };
    case 'xlsx': {
      const { reportXlsx } = await import('./xlsx.ts');
      await writeFileAtomically(place, [await reportXlsx(source)]);
      return { pages: null };
    }
    case 'pdf': {
      const { reportPdf } = await import('./pdf.ts');
      const pages = counting(reportPdf(source));
      await writeFileAtomically(place, pages.pieces());
      return { pages: pages.count() };
    }
  }
}

/** Wraps a generator to keep its return value after the last piece. */
function counting(generator: AsyncGenerator<Uint8Array, number, undefined>) {
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

/** Writes the current report of a period from one snapshot of the site. */
export async function writeReport(
  site: { folder: string; file: SiteFile },
  { period, format, place }: { period: string; format: ReportFormat; place: string },
  made: { now: number; version: string },
): Promise<ReportFile> {
  const snapshot = snapshotOf(site);
  try {
    const source = await createReportSource(snapshot, period, made);
    const { pages } = await writeReportFile(source, format, place);
    const { sha256, bytes } = await hashFile(place);
    return { path: place, format, bytes, sha256, digest: source.workpaper.digest, pages };
  } finally {
    snapshot.close();
  }
}

/** Returns the report's file name, for example `Acme 2026-10.pdf`, without characters that file names cannot have. */
export function reportFileName(title: string, period: string, format: ReportFormat): string {
  const plain = title.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').trim();
  return `${plain === '' ? 'Reconciliation' : plain} ${period}.${format}`;
}
