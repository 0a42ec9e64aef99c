import type { OpenItem, ReportAdjustment, ReportException, ReportMatch } from '../../contract/index.ts';
import { monthOf } from '../../domain/ledger/index.ts';
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
import { allItems } from './items.ts';
import { type WorkpaperSite, workpaperGround } from './workpaper.ts';

/** The lists of a period report. Each is read while it is written and never held in memory. */
export interface ReportLists {
  outstanding(): Iterable<OpenItem>;
  adjustments(): Iterable<ReportAdjustment>;
  exceptions(): Iterable<ReportException>;
  matches(): Iterable<ReportMatch>;
}

/** The additional lists of an evidence pack. The first row of a table names its columns. */
export interface Lists extends ReportLists {
  /** Statements closed in the period with their latest PDF. */
  statements(): Iterable<ExportCandidate>;
  sources(): Iterable<PackSource>;
  bank_lines(): Iterable<PackCells>;
  payments(): Iterable<PackCells>;
  payouts(): Iterable<PackCells>;
  match_items(): Iterable<PackCells>;
  transactions(): Iterable<PackCells>;
}

/** Returns the lists of a period from the current records. */
export function listsNow(site: WorkpaperSite, period: string): Lists {
  const { books, cache } = site;
  const days = monthOf(`${period}-01`);
  return {
    outstanding: () => allItems(site, workpaperGround(site, period)),
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

/** Lists stored with the closed figures because their sources may change. The sources of the other lists are locked. */
export const keptLists = [
  ...(['outstanding', 'exceptions'] as const),
  ...(['statements', 'sources', 'bank_lines', 'payments', 'payouts', 'transactions'] as const),
] satisfies (keyof Lists)[];
