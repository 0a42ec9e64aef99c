import { isCreditArea, ledgerAreas, matchPostedEntries } from '../../domain/general-ledger/index.ts';
import { addDays } from '../../domain/ledger/index.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addJournalStep,
  claimLedgerLines,
  listEntriesWithoutLines,
  listUnclaimedLedgerLines,
  listUnpostedEntries,
  updateJournalEntry,
} from '../store/general-ledger/journal-entry.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';

/** Number of days before its date on which an accounting system may post an entry, because of time zones. */
const DAYS_BEFORE = 1;

/**
 * Finds the approved and exported journal entries in the ledger lines and marks them as posted. Entries whose lines
 * were removed count as exported again. Returns the numbers of the entries found.
 */
export function findPostedEntries(books: WritableDb, { at, user }: { at: number; user: string }): string[] {
  for (const id of listEntriesWithoutLines(books)) {
    updateJournalEntry(books, id, { state: 'exported', posted_on: null });
    addJournalStep(books, id, {
      at,
      user,
      action: 'unposted',
      text: 'The ledger import with its lines was removed.',
    });
  }
  const entries = listUnpostedEntries(books).flatMap((entry) =>
    entry.number === null ? [] : [{ ...entry, number: entry.number }],
  );
  if (entries.length === 0) return [];
  const accounts = new Set(entries.flatMap(({ lines }) => lines.map(({ account }) => account)));
  const first = entries.map(({ dated_on }) => dated_on).sort()[0] as string;
  const lines = listUnclaimedLedgerLines(
    books,
    [...accounts],
    addDays(first, 0 - DAYS_BEFORE),
    ledgerAreas.filter(isCreditArea),
  );
  const posted = matchPostedEntries(entries, lines);
  for (const { id, number } of entries) {
    const claimed = posted.get(number);
    if (claimed === undefined) continue;
    claimLedgerLines(books, id, claimed);
    const days = lines.filter((line) => claimed.includes(line.id)).map(({ dated_on }) => dated_on);
    const posted_on = days.sort().at(-1) as string;
    updateJournalEntry(books, id, { state: 'posted', posted_on });
    addJournalStep(books, id, { at, user, action: 'posted', text: null });
    const detail = { number, posted_on, lines: claimed.length };
    addAuditEntry(books, { at, user, action: 'journal.post', subject: `journal-entry:${id}`, detail });
  }
  return [...posted.keys()];
}
