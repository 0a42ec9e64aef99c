import type { OpenItem, ReportAdjustment, ReportException, ReportMatch } from '../../contract/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import { candidatesForExport, type ExportCandidate } from '../store/archive/export-candidates.ts';
import {
  type PackCells,
  type PackSource,
  packSources,
  packTable,
  packTransactions,
} from '../store/evidence-pack/pack-rows.ts';
import { reportAdjustments, reportExceptions, reportMatches } from '../store/period-report/report-rows.ts';
import { statementStretch } from '../store/workpaper/workpaper-billing.ts';
import { readWorkpaperInputs, type WorkpaperSite } from './workpaper.ts';
import { allWorkpaperItems } from './workpaper-items.ts';

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
export function currentLists(site: WorkpaperSite, period: string): PeriodLists {
  const { books, cache } = site;
  const days = toMonthRange(`${period}-01`);
  return {
    outstanding: () => allWorkpaperItems(site, readWorkpaperInputs(site, period)),
    adjustments: () => reportAdjustments(books, days),
    exceptions: () => reportExceptions(books, days),
    matches: () => reportMatches(books, days),
    *statements() {
      const filter = { state: ['unpaid' as const, 'paid' as const], since: days.first, until: days.last };
      for (const some of candidatesForExport(cache, filter)) yield* some;
    },
    sources: () => packSources(books, days),
    bank_lines: () => packTable(books, 'bank_lines', days),
    payments: () => packTable(books, 'payments', days),
    payouts: () => packTable(books, 'payouts', days),
    match_items: () => packTable(books, 'match_items', days),
    transactions: () => packTransactions(cache, statementStretch(cache, days)),
  };
}

/**
 * Names of the lists that are stored with the closed figures, because their sources may change. The sources of the other
 * lists are locked.
 */
export const storedLists = [
  ...(['outstanding', 'exceptions'] as const),
  ...(['statements', 'sources', 'bank_lines', 'payments', 'payouts', 'transactions'] as const),
] satisfies (keyof PeriodLists)[];
