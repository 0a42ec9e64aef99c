import type { LedgerImport, ReportJournalLine } from '../../../contract/index.ts';
import { listJournalEntries } from '../general-ledger/journal-entry.ts';
import { listLedgerImports } from '../general-ledger/ledger-import.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import type { DayRange } from '../workpaper/posted-rows.ts';

/** Yields the lines of a period's journal entries, by number. Omits discarded proposals. */
export function* readReportJournal(books: ReadableDb, period: string): Generator<ReportJournalLine> {
  for (const entry of listJournalEntries(books, period)) {
    const { id, number, state, template, dated_on, currency, memo, made_by, approved_by, posted_on } = entry;
    if (state === 'discarded' && number === null) continue;
    for (const { account, debit_in_cents, credit_in_cents } of entry.lines)
      yield {
        ...{ entry: id, number, state, template, dated_on, currency, memo, account },
        ...{ debit_in_cents, credit_in_cents, made_by, approved_by, posted_on },
      };
  }
}

/** Returns the ledger files with rows of the period, oldest first. Includes trial balances of the day before. */
export const listLedgerImportsOfPeriod = (
  books: ReadableDb,
  { first, last, before }: DayRange & { readonly before: string },
): LedgerImport[] =>
  listLedgerImports(books)
    .filter(
      ({ state, kind, first_on, last_on }) =>
        state === 'done' &&
        first_on <= last &&
        (last_on >= first || (kind === 'balances' && last_on === before)),
    )
    .toReversed();
