import { hash } from 'node:crypto';
import {
  type ContractInputs,
  type ContractOutputs,
  createNonRetryableError,
  type JournalEntry,
} from '../../contract/index.ts';
import {
  createDatevSettings,
  findJournalEntryError,
  formatEntryNumber,
  formatJournal,
  type JournalEntryContent,
} from '../../domain/general-ledger/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { throwPeriodClosedError } from '../period-lock/period-lock.ts';
import { requireRecord } from '../shared/require-record.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addJournalEntry,
  addJournalStep,
  findJournalEntry,
  findLastSequence,
  listJournalEntries,
  type StoredJournalEntry,
  updateJournalEntry,
} from '../store/general-ledger/journal-entry.ts';
import { addLedgerAccount, readLedgerAccountNames } from '../store/general-ledger/ledger-account.ts';
import { findLastLockedDay } from '../store/period-lock/period-lock.ts';
import { type ReadableDb, runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';

export type JournalContext = Pick<CommandContext, 'stores' | 'changes' | 'user' | 'now'>;

/** Prefix that replaces the account of a line whose area has no account yet, for example `?fees`. */
export const MISSING_ACCOUNT_PREFIX = '?';

export function readJournal(books: ReadableDb, period: string | undefined): JournalEntry[] {
  const names = readLedgerAccountNames(books);
  return listJournalEntries(books, period).map((entry) => toJournalEntry(entry, names));
}

function toJournalEntry(
  { lines, sequence: _sequence, source: _source, ...entry }: StoredJournalEntry,
  names: ReadonlyMap<string, string>,
): JournalEntry {
  return {
    ...entry,
    lines: lines.map((line) => ({ ...line, name: names.get(line.account) ?? null })),
    total_in_cents: lines.reduce((sum, { debit_in_cents }) => sum + debit_in_cents, 0),
    blocker: entry.state === 'proposed' ? findBlocker(lines) : null,
  };
}

function findBlocker(lines: StoredJournalEntry['lines']): string | null {
  const missing = lines.find(({ account }) => account.startsWith(MISSING_ACCOUNT_PREFIX));
  return missing === undefined
    ? findJournalEntryError(lines)
    : `No account is mapped to ${missing.area}. Map one, then propose the entries again.`;
}

/** Adds a journal entry that a user entered. Throws `validation` if it does not balance, and `period_locked`. */
export function addManualEntry(
  { stores, changes, user, now }: JournalContext,
  { site, period, lines: given, ...input }: ContractInputs['journal']['add'],
): JournalEntry {
  const { books, file } = stores.open(site);
  const days = toMonthRange(`${period}-01`);
  const { dated_on = days.last, currency = file.currency, memo } = input;
  const { reverses_on = null, repeats = null, repeats_until = null } = input;
  const lines = given.map(({ account, debit_in_cents = 0, credit_in_cents = 0 }) => ({
    ...{ account, debit_in_cents, credit_in_cents, area: null },
  }));
  const error =
    findJournalEntryError(lines) ??
    (dated_on < days.first || dated_on > days.last ? `${dated_on} is not in ${period}.` : null) ??
    (reverses_on !== null && reverses_on <= dated_on ? 'The reversal must be dated after the entry.' : null);
  if (error !== null) throw createNonRetryableError('validation', error, 'Correct the entry.');
  assertNotLocked(books, dated_on);
  const at = now();
  const id = runInTransaction(books, () => {
    for (const { account } of lines) addLedgerAccount(books, { account, name: null, at, user });
    return addEntry(books, {
      ...{ period, template: 'manual', source: null, dated_on, currency, memo, lines },
      ...{ reverses_on, repeats, repeats_until, made_at: at, made_by: user },
    });
  });
  changes.emit(site, 'periods', 'audit');
  return requireEntry(books, id);
}

/** Stores a journal entry with its history and its audit entry. Returns its id. */
export function addEntry(books: WritableDb, entry: Parameters<typeof addJournalEntry>[1]): number {
  const id = addJournalEntry(books, entry);
  const { made_at: at, made_by: user, period, memo, template, lines } = entry;
  addJournalStep(books, id, { at, user, action: template === 'manual' ? 'entered' : 'proposed', text: null });
  const detail = {
    ...{ period, template, memo, dated_on: entry.dated_on, currency: entry.currency },
    lines: lines.map(({ account, debit_in_cents, credit_in_cents }) => [
      account,
      debit_in_cents,
      credit_in_cents,
    ]),
  };
  addAuditEntry(books, { at, user, action: 'journal.add', subject: `journal-entry:${id}`, detail });
  return id;
}

function requireEntry(books: ReadableDb, id: number): JournalEntry {
  const hint = 'See the list of journal entries.';
  const entry = requireRecord(findJournalEntry(books, id), `journal entry ${id}`, hint);
  return toJournalEntry(entry, readLedgerAccountNames(books));
}

/** Throws `period_locked` if the day is in a closed period. */
export function assertNotLocked(books: ReadableDb, day: string): void {
  const locked = findLastLockedDay(books);
  if (locked !== null && day <= locked) throwPeriodClosedError(day.slice(0, 7));
}

/** Approves proposed journal entries and numbers them. Throws `not_found`, and `conflict` if one cannot be approved. */
export function approveEntries(
  { stores, changes, user, now }: JournalContext,
  { site, ids }: ContractInputs['journal']['approve'],
): JournalEntry[] {
  const { books } = stores.open(site);
  const at = now();
  const distinct = [...new Set(ids)];
  runInTransaction(books, () => {
    for (const id of distinct) {
      const { state, blocker, period, dated_on } = requireEntry(books, id);
      if (state !== 'proposed') throw createConflict(`Journal entry ${id} is ${state}, not proposed.`);
      if (blocker !== null) throw createConflict(`Journal entry ${id} cannot be approved. ${blocker}`);
      assertNotLocked(books, dated_on);
      const sequence = findLastSequence(books, period) + 1;
      const number = formatEntryNumber(period, sequence);
      const approval = { number, sequence, approved_at: at, approved_by: user };
      updateJournalEntry(books, id, { ...approval, state: 'approved' });
      addJournalStep(books, id, { at, user, action: 'approved', text: null });
      addAuditEntry(books, {
        at,
        user,
        action: 'journal.approve',
        subject: `journal-entry:${id}`,
        detail: { number },
      });
    }
  });
  changes.emit(site, 'periods', 'audit');
  return distinct.map((id) => requireEntry(books, id));
}

const createConflict = (message: string) =>
  createNonRetryableError('conflict', message, 'See the list of journal entries.');

/** Discards journal entries that are not posted. Their numbers are not reused. Throws `not_found` and `conflict`. */
export function discardEntries(
  { stores, changes, user, now }: JournalContext,
  { site, ids, reason }: ContractInputs['journal']['discard'],
): JournalEntry[] {
  const { books } = stores.open(site);
  const at = now();
  const distinct = [...new Set(ids)];
  runInTransaction(books, () => {
    for (const id of distinct) {
      const { state, dated_on } = requireEntry(books, id);
      if (state === 'posted')
        throw createConflict(`Journal entry ${id} is posted in the ledger. Reverse it there.`);
      if (state === 'discarded') throw createConflict(`Journal entry ${id} is already discarded.`);
      assertNotLocked(books, dated_on);
      discardEntry(books, id, { at, user, reason });
    }
  });
  changes.emit(site, 'periods', 'audit');
  return distinct.map((id) => requireEntry(books, id));
}

/** Discards a journal entry and records it in its history and in the audit log. */
export function discardEntry(
  books: WritableDb,
  id: number,
  { at, user, reason }: { at: number; user: string; reason: string },
): void {
  updateJournalEntry(books, id, { state: 'discarded', reason });
  addJournalStep(books, id, { at, user, action: 'discarded', text: reason });
  addAuditEntry(books, {
    at,
    user,
    action: 'journal.discard',
    subject: `journal-entry:${id}`,
    reason,
    detail: {},
  });
}

/** Returns the approved journal entries of a period in an accounting system's format, and marks them as exported. */
export function exportJournal(
  { stores, changes, user, now }: JournalContext,
  { site, period, format, again }: ContractInputs['journal']['export'],
): ContractOutputs['journal']['export'] {
  const { books } = stores.open(site);
  const states = again ? ['approved', 'exported'] : ['approved'];
  const entries = listJournalEntries(books, period).flatMap(
    (entry): (StoredJournalEntry & JournalEntryContent)[] =>
      entry.number !== null && states.includes(entry.state) ? [{ ...entry, number: entry.number }] : [],
  );
  if (entries.length === 0)
    throw createNonRetryableError(
      'not_found',
      `${period} has no approved journal entries to export.`,
      again ? 'Approve entries first.' : 'Approve entries first, or export the exported ones again.',
    );
  const text = [...formatJournal(format, entries, createDatevSettings(period))].join('');
  const sha256 = hash('sha256', text, 'hex');
  const at = now();
  runInTransaction(books, () => {
    for (const { id } of entries) {
      updateJournalEntry(books, id, { state: 'exported', exported_at: at, exported_by: user });
      addJournalStep(books, id, { at, user, action: 'exported', text: format });
    }
    const numbers = entries.map(({ number }) => number);
    addAuditEntry(books, {
      at,
      user,
      action: 'journal.export',
      subject: period,
      detail: { format, sha256, numbers },
    });
  });
  changes.emit(site, 'periods', 'audit');
  const name = format === 'datev' ? `EXTF_Buchungsstapel_${period}.csv` : `journal-${period}-${format}.csv`;
  return { name, text, sha256, entries: entries.map(({ number }) => number) };
}
