import type { ContractInputs, JournalEntry, Workpaper } from '../../contract/index.ts';
import {
  type LedgerArea,
  type ProposedEntry,
  proposeEntries,
  reverseLines,
  toJournalLine,
} from '../../domain/general-ledger/index.ts';
import { addDays, toMonthRange } from '../../domain/ledger/index.ts';
import { readCurrentWorkpaper } from '../periods/cached-workpaper.ts';
import {
  listJournalEntries,
  type NewJournalEntry,
  type StoredJournalEntry,
} from '../store/general-ledger/journal-entry.ts';
import { readLedgerAreas } from '../store/general-ledger/ledger-account.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import {
  addEntry,
  assertNotLocked,
  discardEntry,
  type JournalContext,
  MISSING_ACCOUNT_PREFIX,
  readJournal,
} from './journal.ts';

type Proposal = Omit<NewJournalEntry, 'made_at' | 'made_by'>;

/**
 * Proposes entries for the explained differences of a period, its recurring entries and the reversals of earlier
 * entries. Replaces proposals that nobody has approved. Proposes only amounts that approved entries do not cover.
 */
export async function proposePeriodEntries(
  { stores, changes, user, now, version }: JournalContext & { readonly version: string },
  { site, period }: ContractInputs['journal']['propose'],
): Promise<JournalEntry[]> {
  const open = stores.open(site);
  const { books } = open;
  assertNotLocked(books, toMonthRange(`${period}-01`).last);
  const workpaper = await readCurrentWorkpaper(open, period, { now: now(), version });
  const at = now();
  runInTransaction(books, () => {
    const stored = listJournalEntries(books);
    const proposals = [
      ...proposeFromWorkpaper(books, period, workpaper, stored),
      ...proposeRecurring(period, stored),
      ...proposeReversals(period, stored),
    ];
    const kept = new Set<Proposal>();
    for (const entry of stored) {
      if (entry.period !== period || entry.state !== 'proposed' || entry.source === null) continue;
      const same = proposals.find((each) => !kept.has(each) && isSameProposal(entry, each));
      if (same !== undefined) kept.add(same);
      else discardEntry(books, entry.id, { at, user, reason: 'The proposal no longer applies.' });
    }
    for (const each of proposals)
      if (!kept.has(each)) addEntry(books, { ...each, made_at: at, made_by: user });
  });
  changes.emit(site, 'periods', 'audit');
  return readJournal(books, period);
}

const isSameProposal = (a: StoredJournalEntry, b: Proposal): boolean =>
  a.source === b.source &&
  a.currency === b.currency &&
  a.dated_on === b.dated_on &&
  a.memo === b.memo &&
  a.reverses_on === b.reverses_on &&
  JSON.stringify(a.lines) === JSON.stringify(b.lines);

const isAccepted = ({ state }: StoredJournalEntry): boolean => state !== 'proposed' && state !== 'discarded';

/**
 * Returns proposals for the workpaper's explained differences, minus what accepted entries cover. Discarded entries are
 * not proposed again.
 */
function proposeFromWorkpaper(
  books: ReadableDb,
  period: string,
  { sections }: Workpaper,
  stored: readonly StoredJournalEntry[],
): Proposal[] {
  const accounts = findFirstAccounts(books);
  const dated_on = toMonthRange(`${period}-01`).last;
  return sections.flatMap(({ currency, schedules }) =>
    proposeEntries(schedules).flatMap((proposed): Proposal[] => {
      const same = stored.filter(
        (each) => each.period === period && each.currency === currency && each.source === proposed.source,
      );
      const amount = proposed.amount_in_cents - (proposed.isRemainder ? 0 : sumAccepted(same, proposed));
      const isDiscarded = same.some(
        ({ state, approved_by, reason, lines }) =>
          state === 'discarded' &&
          approved_by === null &&
          reason !== 'The proposal no longer applies.' &&
          lines.some(({ debit_in_cents }) => debit_in_cents === Math.abs(amount)),
      );
      if (amount === 0 || isDiscarded) return [];
      const toLine = (area: LedgerArea, cents: number) => ({
        ...toJournalLine(accounts.get(area) ?? `${MISSING_ACCOUNT_PREFIX}${area}`, cents),
        area,
      });
      return [
        {
          ...{ period, template: proposed.template, source: proposed.source, dated_on, currency },
          memo: proposed.memo,
          lines: pickLineOrder([toLine(proposed.debit, amount), toLine(proposed.credit, 0 - amount)]),
          reverses_on: proposed.isReversing ? addDays(dated_on, 1) : null,
          ...{ repeats: null, repeats_until: null },
        },
      ];
    }),
  );
}

/** Sorts debit lines first and selects the stored fields. */
const pickLineOrder = (lines: readonly StoredJournalEntry['lines'][number][]): StoredJournalEntry['lines'] =>
  lines
    .map(({ area, account, debit_in_cents, credit_in_cents }) => ({
      area,
      account,
      debit_in_cents,
      credit_in_cents,
    }))
    .sort((a, b) => b.debit_in_cents - a.debit_in_cents);

/** Returns the amount in cents that accepted entries cover of a difference. */
function sumAccepted(same: readonly StoredJournalEntry[], { debit }: ProposedEntry): number {
  return same.filter(isAccepted).reduce((sum, { lines }) => {
    const line = lines.find(({ area }) => area === debit);
    return line === undefined ? sum : sum + line.debit_in_cents - line.credit_in_cents;
  }, 0);
}

function findFirstAccounts(books: ReadableDb): Map<LedgerArea, string> {
  const accounts = new Map<LedgerArea, string>();
  for (const [account, area] of readLedgerAreas(books)) if (!accounts.has(area)) accounts.set(area, account);
  return accounts;
}

const NOT_REPEATED = { reverses_on: null, repeats: null, repeats_until: null } as const;

function proposeRecurring(period: string, stored: readonly StoredJournalEntry[]): Proposal[] {
  const { last } = toMonthRange(`${period}-01`);
  return stored.flatMap((entry): Proposal[] => {
    const { id, repeats, repeats_until, currency, memo, lines } = entry;
    const source = `recurring:${id}`;
    const isDue =
      repeats === 'monthly' &&
      isAccepted(entry) &&
      entry.period < period &&
      period <= (repeats_until ?? '9999-99');
    if (!isDue || isHandled(stored, period, source)) return [];
    return [
      { period, template: 'recurring', source, dated_on: last, currency, memo, lines, ...NOT_REPEATED },
    ];
  });
}

function proposeReversals(period: string, stored: readonly StoredJournalEntry[]): Proposal[] {
  return stored.flatMap((entry): Proposal[] => {
    const { id, number, reverses_on, currency, memo, lines } = entry;
    const source = `reversal:${id}`;
    if (reverses_on === null || reverses_on.slice(0, 7) !== period || !isAccepted(entry)) return [];
    if (isHandled(stored, period, source)) return [];
    const reversed = reverseLines(lines).map((line, at) => ({ ...line, area: lines[at]?.area ?? null }));
    return [
      {
        ...{ period, template: 'reversal', source, dated_on: reverses_on, currency },
        ...{
          memo: `Reversal of ${number}: ${memo}`.slice(0, 200),
          lines: pickLineOrder(reversed),
          ...NOT_REPEATED,
        },
      },
    ];
  });
}

/** Returns true if somebody has approved or discarded an entry with this source in the period. */
const isHandled = (stored: readonly StoredJournalEntry[], period: string, source: string): boolean =>
  stored.some((each) => each.period === period && each.source === source && each.state !== 'proposed');
