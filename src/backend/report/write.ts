import type { ReportFile, ReportFormat } from '../../contract/index.ts';
import { gathered } from '../bag/folder-sink.ts';
import { hashOfFile } from '../bag/reading.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { reportCsv } from './csv.ts';
import { reportJson } from './json.ts';
import { writeWhole } from './place.ts';
import { snapshotOf } from './snapshot.ts';
import { type ReportSource, reportOf } from './source.ts';

/** Media types by format. */
export const reportTypes: Readonly<Record<ReportFormat, string>> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
};

/** The report’s file of a format at a place: whole, or not there. */
export async function writeReportFile(
  source: ReportSource,
  format: ReportFormat,
  place: string,
): Promise<{ pages: number | null }> {
  switch (format) {
    case 'csv':
      await writeWhole(place, gathered(reportCsv(source)));
      return { pages: null };
    case 'json':
      await writeWhole(place, gathered(reportJson(source)));
      return { pages: null };
    case 'xlsx': {
      const { reportXlsx } = await import('./xlsx.ts');
      await writeWhole(place, [await reportXlsx(source)]);
      return { pages: null };
    }
    case 'pdf': {
      const { reportPdf } = await import('./pdf.ts');
      const pages = counting(reportPdf(source));
      await writeWhole(place, pages.pieces());
      return { pages: pages.count() };
    }
  }
}

/** The pieces of a generator, and what it returned when they were taken. */
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

/** Writes the report of a period as it is now, all of it from one state of the site. */
export async function writeReport(
  site: { folder: string; file: SiteFile },
  { period, format, place }: { period: string; format: ReportFormat; place: string },
  made: { now: number; version: string },
): Promise<ReportFile> {
  const snapshot = snapshotOf(site);
  try {
    const source = await reportOf(snapshot, period, made);
    const { pages } = await writeReportFile(source, format, place);
    const { sha256, bytes } = await hashOfFile(place);
    return { path: place, format, bytes, sha256, digest: source.workpaper.digest, pages };
  } finally {
    snapshot.close();
  }
}

/** The name a report is offered by: `Acme 2026-10.pdf`, without what a file’s name cannot have. */
export function reportName(title: string, period: string, format: ReportFormat): string {
  const plain = title.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').trim();
  return `${plain === '' ? 'Reconciliation' : plain} ${period}.${format}`;
}
