import type { OpenItem, ReportAdjustment, ReportException, ReportMatch } from '../../contract/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import { type ExportCandidate, readExportCandidates } from '../store/archive/export-candidates.ts';
import {
  listPackSources,
  type PackCells,
  type PackSource,
  readPackTable,
  readPackTransactions,
} from '../store/evidence-pack/pack-rows.ts';
import {
  readReportAdjustments,
  readReportExceptions,
  readReportMatches,
} from '../store/period-report/report-rows.ts';
import { findStatementTimeRange } from '../store/workpaper/workpaper-billing.ts';
import { readWorkpaperInputs, type WorkpaperSite } from './workpaper.ts';
import { readAllWorkpaperItems } from './workpaper-items.ts';

/** Lists of a period report. Each is read while it is written, so that it is never in memory as a whole. */
export interface ReportLists {
  outstanding(): Iterable<OpenItem>;
  adjustments(): Iterable<ReportAdjustment>;
  exceptions(): Iterable<ReportException>;
  matches(): Iterable<ReportMatch>;
}

/** Lists of an evidence pack. The first row of a table contains its column names. */
export interface PeriodLists extends ReportLists {
  /** Statements closed in the period, with their latest PDFs. */
  statements(): Iterable<ExportCandidate>;
  sources(): Iterable<PackSource>;
  bank_lines(): Iterable<PackCells>;
  payments(): Iterable<PackCells>;
  payouts(): Iterable<PackCells>;
  match_items(): Iterable<PackCells>;
  transactions(): Iterable<PackCells>;
}

/** Returns the lists of a period, read from the current records. */
export function readCurrentLists(site: WorkpaperSite, period: string): PeriodLists {
  const { books, cache } = site;
  const days = toMonthRange(`${period}-01`);
  return {
    outstanding: () => readAllWorkpaperItems(site, readWorkpaperInputs(site, period)),
    adjustments: () => readReportAdjustments(books, days),
    exceptions: () => readReportExceptions(books, days),
    matches: () => readReportMatches(books, days),
    *statements() {
      const filter = { state: ['unpaid' as const, 'paid' as const], since: days.first, until: days.last };
      for (const some of readExportCandidates(cache, filter)) yield* some;
    },
    sources: () => listPackSources(books, days),
    bank_lines: () => readPackTable(books, 'bank_lines', days),
    payments: () => readPackTable(books, 'payments', days),
    payouts: () => readPackTable(books, 'payouts', days),
    match_items: () => readPackTable(books, 'match_items', days),
    transactions: () => readPackTransactions(cache, findStatementTimeRange(cache, days)),
  };
}

/** Lists that a closing copies into the closed figures. The sources of the other lists are locked instead. */
export const readStoredLists = [
  ...(['outstanding', 'exceptions'] as const),
  ...(['statements', 'sources', 'bank_lines', 'payments', 'payouts', 'transactions'] as const),
] satisfies (keyof PeriodLists)[];
