import type { JournalEntry } from '../../../contract/index.ts';
import type { JournalLine, PostedLine } from '../../../domain/general-ledger/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

export interface StoredJournalLine extends JournalLine {
  readonly area: string | null;
}

export interface StoredJournalEntry
  extends Omit<JournalEntry, 'lines' | 'total_in_cents' | 'blocker' | 'approved_by' | 'made_by'> {
  readonly sequence: number | null;
  /** Key of the difference that the journal entry explains. Null if a user entered the journal entry. */
  readonly source: string | null;
  readonly made_by: string;
  readonly approved_by: string | null;
  readonly lines: readonly StoredJournalLine[];
}

export interface NewJournalEntry
  extends Pick<
    StoredJournalEntry,
    | 'period'
    | 'template'
    | 'source'
    | 'dated_on'
    | 'currency'
    | 'memo'
    | 'lines'
    | 'reverses_on'
    | 'repeats'
    | 'repeats_until'
  > {
  /** Time of creation in UTC milliseconds. */
  readonly made_at: number;
  readonly made_by: string;
}

const ENTRY = `SELECT id, period, sequence, number, state, template, source, dated_on, currency, memo, reverses_on, repeats,
    repeats_until, made_by, approved_by, posted_on, reason FROM journal_entry`;

const readLines = (books: ReadableDb, id: number): StoredJournalLine[] =>
  select.rows<StoredJournalLine>(
    books,
    'SELECT area, account, debit_in_cents, credit_in_cents FROM journal_line WHERE entry_id = ? ORDER BY ordinal',
    id,
  );

const withLines = (
  books: ReadableDb,
  entries: readonly Omit<StoredJournalEntry, 'lines'>[],
): StoredJournalEntry[] => entries.map((entry) => ({ ...entry, lines: readLines(books, entry.id) }));

/** Returns the journal entries of one period, or of all, by period and number. Unnumbered proposals come last. */
export function listJournalEntries(books: ReadableDb, period?: string): StoredJournalEntry[] {
  const sql = `${ENTRY} WHERE period BETWEEN ? AND ? ORDER BY period, sequence IS NULL, sequence, id`;
  return withLines(books, select.rows(books, sql, period ?? '', period ?? '9999-99'));
}

/** Returns the approved and exported journal entries that no ledger import contains yet, by id. */
export const listUnpostedEntries = (books: ReadableDb): StoredJournalEntry[] =>
  withLines(books, select.rows(books, `${ENTRY} WHERE state IN ('approved', 'exported') ORDER BY id`));

export function findJournalEntry(books: ReadableDb, id: number): StoredJournalEntry | null {
  const row = select.row<Omit<StoredJournalEntry, 'lines'>>(books, `${ENTRY} WHERE id = ?`, id);
  return row === null ? null : { ...row, lines: readLines(books, id) };
}

/** Adds a proposed journal entry and returns its id. */
export function addJournalEntry(db: WritableDb, { lines, ...entry }: NewJournalEntry): number {
  const id = insertRow(db, 'journal_entry', { ...entry, state: 'proposed' });
  for (const [ordinal, line] of lines.entries())
    insertRow(db, 'journal_line', {
      ...{ entry_id: id, ordinal, area: line.area, account: line.account },
      ...{ debit_in_cents: line.debit_in_cents, credit_in_cents: line.credit_in_cents },
    });
  return id;
}

/** Returns the highest journal entry number in a period, or 0 if there is none. */
export const findLastSequence = (books: ReadableDb, period: string): number =>
  select.value<number>(books, 'SELECT max(sequence) FROM journal_entry WHERE period = ?', period) ?? 0;

/** Changes the state and the given columns of a journal entry. */
export function updateJournalEntry(
  db: WritableDb,
  id: number,
  fields: Partial<
    Pick<StoredJournalEntry, 'state' | 'number' | 'sequence' | 'approved_by' | 'posted_on' | 'reason'> & {
      readonly approved_at: number;
      readonly exported_at: number | null;
      readonly exported_by: string | null;
    }
  >,
): void {
  updateRow(db, 'journal_entry', fields as Record<string, string | number | null>, { id });
}

/** Adds a step to the history of a journal entry. */
export function addJournalStep(
  db: WritableDb,
  entry_id: number,
  step: { readonly at: number; readonly user: string; readonly action: string; readonly text: string | null },
): void {
  const seq = select.value<number>(db, 'SELECT count(*) FROM journal_step WHERE entry_id = ?', entry_id) ?? 0;
  insertRow(db, 'journal_step', { entry_id, seq: seq + 1, ...step });
}

/**
 * Returns the audited decisions on all journal entries, oldest first per entry. `value` is the entry's number, or the
 * reason for discarding it.
 */
export const listJournalDecisions = (
  books: ReadableDb,
): { entry_id: number; at: number; user: string; action: string; value: string }[] =>
  select.rows(
    books,
    `SELECT entry_id, at, user, action, iif(action = 'discarded', text, number) AS value
       FROM journal_step JOIN journal_entry ON id = entry_id WHERE action IN ('approved', 'discarded', 'posted') ORDER BY entry_id, seq`,
  );

/** Returns the ledger lines of these accounts since a day that belong to no journal entry. Debits are positive. */
export function listUnclaimedLedgerLines(
  books: ReadableDb,
  accounts: readonly string[],
  since: string,
  naturalCreditAreas: readonly string[],
): PostedLine[] {
  const sql = `SELECT line.id, line.account, dated_on, line.currency, text,
      iif(natural AND area IN (SELECT value FROM json_each(?)), -amount_in_cents, amount_in_cents) AS amount_in_cents
    FROM json_each(?) AS accounts CROSS JOIN ledger_line AS line ON line.account = accounts.value
      JOIN ledger_import ON ledger_import.id = import_id LEFT JOIN ledger_account AS mapped ON mapped.account = line.account
    WHERE removed = 0 AND dated_on >= ? AND entry_id IS NULL`;
  return select.rows<PostedLine>(
    books,
    sql,
    JSON.stringify(naturalCreditAreas),
    JSON.stringify(accounts),
    since,
  );
}

/** Assigns ledger lines to the journal entry that they post. */
export function claimLedgerLines(db: WritableDb, entry: number, lines: readonly number[]): void {
  const claim = prepareSql(db, 'UPDATE ledger_line SET entry_id = ? WHERE id = ?');
  for (const line of lines) claim.run(entry, line);
}

/** Returns the ids of posted journal entries without ledger lines, because an import was removed. */
export const listEntriesWithoutLines = (books: ReadableDb): number[] =>
  select.values<number>(
    books,
    `SELECT id FROM journal_entry WHERE state = 'posted' AND NOT EXISTS (SELECT 1 FROM ledger_line WHERE entry_id = journal_entry.id)`,
  );
