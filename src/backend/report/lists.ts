import type { OpenItem, ReportAdjustment, ReportException, ReportMatch } from '../../contract/index.ts';
import { monthOf } from '../../domain/ledger/index.ts';
import { candidatesForExport, type ExportCandidate } from '../store/archive/export-candidates.ts';
import {
  type PackCells,
  type PackSource,
  packSources,
  packTable,
  packTransactions,
} from '../store/periods/pack-rows.ts';
import { reportAdjustments, reportExceptions, reportMatches } from '../store/periods/report-rows.ts';
import { statementStretch } from '../store/periods/workpaper-billing.ts';
import { allItems } from '../workpaper/items.ts';
import { type WorkpaperSite, workpaperGround } from '../workpaper/workpaper.ts';

/** What a report lists of a period. Each list is read as it is written, and never held. */
export interface ReportLists {
  outstanding(): Iterable<OpenItem>;
  adjustments(): Iterable<ReportAdjustment>;
  exceptions(): Iterable<ReportException>;
  matches(): Iterable<ReportMatch>;
}

/** And what its pack does besides; of a table, its first row names the columns. */
export interface Lists extends ReportLists {
  /** Closed in the period, with their newest PDF. */
  statements(): Iterable<ExportCandidate>;
  sources(): Iterable<PackSource>;
  bank_lines(): Iterable<PackCells>;
  payments(): Iterable<PackCells>;
  payouts(): Iterable<PackCells>;
  match_items(): Iterable<PackCells>;
  transactions(): Iterable<PackCells>;
}

/** The lists of a period as the records stand now. */
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

/**
 * Lists that are kept with a seal, as what they are read from may become otherwise or be called otherwise. What the others are read from is locked
 * by the books.
 */
export const keptLists = [
  ...(['outstanding', 'exceptions'] as const),
  ...(['statements', 'sources', 'bank_lines', 'payments', 'payouts', 'transactions'] as const),
] satisfies (keyof Lists)[];
