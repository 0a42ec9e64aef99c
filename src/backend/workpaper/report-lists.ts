import type {
  BankStatement,
  ChecklistStep,
  CustomerBalance,
  DeferredCharge,
  FluxLine,
  IpeFigure,
  IpeRequest,
  IpeSource,
  LedgerImport,
  OutstandingItem,
  ReportAdjustment,
  ReportComment,
  ReportException,
  ReportJournalLine,
  ReportMatch,
} from '../../contract/index.ts';
import { addDays, type DateRange, toMonthRange } from '../../domain/ledger/index.ts';
import { listBankStatementsOfPeriod } from '../bank/bank-statements.ts';
import {
  type ExportCandidate,
  listExportCandidates,
  readStatementIds,
} from '../store/archive/export-candidates.ts';
import {
  type EvidencePackCells,
  type EvidencePackSource,
  listEvidencePackSources,
  readEvidencePackTable,
  readEvidencePackTransactions,
} from '../store/evidence-pack/pack-rows.ts';
import { listLedgerImportsOfPeriod, readReportJournal } from '../store/period-report/ledger-report-rows.ts';
import { readReportComments } from '../store/period-report/report-comments.ts';
import {
  readReportAdjustments,
  readReportExceptions,
  readReportMatches,
} from '../store/period-report/report-rows.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { selectStatements } from '../store/statements/statement-selection.ts';
import { listCustomerBalances } from './customer-balances.ts';
import { readDeferredCharges } from './deferred-contributions.ts';

import { readWorkpaperInputs } from './workpaper.ts';
import { readAllWorkpaperItems } from './workpaper-items.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Lists of a period report. Each list is read while it is written, so that it is never completely in memory. */
export interface ReportLists {
  /** Comments on figures. */
  figure_comments(): Iterable<ReportComment>;
  /** Bank statements that cover days of the period, each with its previous and next statement. */
  bank_statements(): Iterable<BankStatement>;
  /** Ledger files with rows of the period. */
  ledger_imports(): Iterable<LedgerImport>;
  journal(): Iterable<ReportJournalLine>;
  outstanding(): Iterable<OutstandingItem>;
  customers(): Iterable<CustomerBalance>;
  /** Charges that are deferred, billed or recognized in the period. */
  deferred(): Iterable<DeferredCharge>;
  adjustments(): Iterable<ReportAdjustment>;
  exceptions(): Iterable<ReportException>;
  matches(): Iterable<ReportMatch>;
}

/** Lists of an evidence pack. The first row of a table contains its column names. */
export interface PeriodLists extends ReportLists {
  /**
   * Statements closed in the period that the service still lists, each with its latest PDF, ordered by filing day, then id.
   */
  statements(): Iterable<ExportCandidate>;
  sources(): Iterable<EvidencePackSource>;
  bank_lines(): Iterable<EvidencePackCells>;
  payments(): Iterable<EvidencePackCells>;
  payouts(): Iterable<EvidencePackCells>;
  match_items(): Iterable<EvidencePackCells>;
  /** Transactions of the statements, in the same order. */
  transactions(): Iterable<EvidencePackCells>;
}

/** Lists of the IPE sheet: what proves each figure, its sources, and the requests that delivered them. */
export interface IpeLists {
  ipe_figures(): Iterable<IpeFigure>;
  ipe_sources(): Iterable<IpeSource>;
  ipe_requests(): Iterable<IpeRequest>;
}

/** Lists that are computed from the workpaper of a period and its other lists. */
export interface ComputedLists extends IpeLists {
  /** Flux of every figure against the previous month. */
  flux(): Iterable<FluxLine>;
  /** Month-end checklist. */
  checklist(): Iterable<ChecklistStep>;
}

/** All lists of a period. */
export type AllPeriodLists = PeriodLists & ComputedLists;

export function readCurrentPeriodLists(site: WorkpaperSite, period: string): PeriodLists {
  const { books, cache } = site;
  const days = toMonthRange(`${period}-01`);
  return {
    figure_comments: () => readReportComments(books, period),
    bank_statements: () => listBankStatementsOfPeriod(books, days),
    ledger_imports: () => listLedgerImportsOfPeriod(books, { ...days, before: addDays(days.first, -1) }),
    journal: () => readReportJournal(books, period),
    outstanding: () => readAllWorkpaperItems(site, readWorkpaperInputs(site, period)),
    customers: () => listCustomerBalances(site, days),
    deferred: () => readDeferredCharges(site, days),
    adjustments: () => readReportAdjustments(books, days),
    exceptions: () => readReportExceptions(books, days),
    matches: () => readReportMatches(books, days),
    *statements() {
      for (const ids of readListedStatementIds(cache, days)) yield* listExportCandidates(cache, ids);
    },
    sources: () => listEvidencePackSources(books, days),
    bank_lines: () => readEvidencePackTable(books, 'bank_lines', days),
    payments: () => readEvidencePackTable(books, 'payments', days),
    payouts: () => readEvidencePackTable(books, 'payouts', days),
    match_items: () => readEvidencePackTable(books, 'match_items', days),
    transactions: () => readEvidencePackTransactions(cache, readListedStatementIds(cache, days)),
  };
}

/** Yields the ids of the statements closed in the days that the service still lists, like the figures, in batches. */
function readListedStatementIds(cache: ReadableDb, { first: since, last: until }: DateRange) {
  const filter = { state: ['unpaid' as const, 'paid' as const], since, until };
  return readStatementIds(cache, { ...selectStatements(cache, filter), isListed: true });
}

/** Lists that closing copies into the closed figures. The sources of the other lists are locked instead. */
export const listsStoredAtClosing = [
  ...(['checklist', 'figure_comments'] as const),
  ...(['bank_statements', 'ledger_imports', 'journal', 'outstanding', 'customers', 'deferred'] as const),
  ...(['exceptions', 'statements', 'sources', 'bank_lines', 'payments', 'payouts', 'transactions'] as const),
  ...(['ipe_figures', 'ipe_sources', 'ipe_requests', 'flux'] as const),
] satisfies (keyof AllPeriodLists)[];
