import type { Allocation, HistorySight } from '../../contract/index.ts';
import { isSameQuantity, type Quantity } from '../ledger/index.ts';
import { formatCount } from '../text/format-count.ts';

/** An allocation in a history. */
export type HistoryEntry = Omit<Allocation, 'chained' | 'ordinal'>;

/** A change that may have been applied. `previous` is the quantity that it was to replace; null if none was recorded. */
export interface SentChange {
  readonly previous: Quantity | null;
  readonly quantity: Quantity;
  readonly memo: string | null;
}

/** A history at one time, newest first. */
export interface AllocationHistory {
  readonly entries: readonly (HistoryEntry & { readonly at: number })[];
  /** Local clock when the history was read, in UTC milliseconds. */
  readonly readAt: number;
}

/** Summary of the history before the change was sent, used to recognize later entries. */
export interface HistoryBeforeChange extends HistorySight {
  /** Service clock in UTC milliseconds; null if the service sent none. */
  readonly service_at: number | null;
}

/** Result of looking up a change whose response was lost. */
export type ChangeLookupResult = { readonly entries: readonly HistoryEntry[]; readonly text: string } & (
  | { readonly is: 'applied'; readonly entry: HistoryEntry }
  | { readonly is: 'absent' }
  | { readonly is: 'undecided' }
);

/**
 * Tolerance for the different clocks of the service's machines: an entry recorded this long before sending may be the change.
 */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** Summarizes a history before a change is sent, for comparison afterwards. */
export function summarizeHistory({ entries, readAt }: AllocationHistory, change: SentChange): HistorySight {
  const newest = entries[0];
  return {
    count: entries.length,
    equal: entries.filter((entry) => isSameChange(entry, change)).length,
    quantity: newest?.quantity ?? null,
    newest_at: newest?.timestamp ?? null,
    read_at: new Date(readAt).toISOString(),
  };
}

/**
 * Looks up a change in the history read after its response was lost. The change is applied if exactly one new entry equals it
 * (from, to, memo and recorded since), and absent if no new entry has its quantity. Otherwise it is undecided, and a person
 * must check the entries. A history grows only at its head, so new entries are those before the earlier number of entries.
 */
export function lookUpSentChange(
  change: SentChange,
  before: HistoryBeforeChange,
  after: AllocationHistory,
): ChangeLookupResult {
  const newCount = after.entries.length - before.count;
  if (newCount < 0) {
    return undecided(
      [],
      'The history is shorter than before the change was sent, so it is a different history.',
    );
  }
  const newEntries = after.entries.slice(0, newCount);
  const newestEarlier = after.entries[newCount]?.timestamp ?? null;
  if (newestEarlier !== before.newest_at) {
    return undecided(newEntries, 'Earlier entries of the history have changed since the change was sent.');
  }
  const equal = newEntries.filter((entry) => isSameChange(entry, change));
  const since = before.service_at === null ? null : before.service_at - CLOCK_TOLERANCE_MS;
  const [found] = equal;
  if (found !== undefined && equal.length === 1) {
    if (since !== null && found.at < since) {
      return undecided(
        newEntries,
        `A new entry equals the change, but was recorded at ${found.timestamp}, before the change was sent.`,
      );
    }
    const counts = `${formatCount(before.equal, 'equal entry', 'equal entries')} before, ${before.equal + 1} now`;
    return {
      is: 'applied',
      entry: found,
      entries: newEntries,
      text: `The history contains the change, recorded at ${found.timestamp}: ${counts}.`,
    };
  }
  if (equal.length > 1) {
    return undecided(
      newEntries,
      `${equal.length} new entries equal the change. One of them may be the change, or none.`,
    );
  }
  if (newEntries.some((entry) => hasSameQuantity(entry, change))) {
    return undecided(
      newEntries,
      'A new entry has the same quantity, but a different previous quantity or memo.',
    );
  }
  const text =
    newEntries.length === 0
      ? `The history is unchanged: ${formatCount(after.entries.length, 'entry', 'entries')} before and now.`
      : `The history has ${newEntries.length} new ${newEntries.length === 1 ? 'entry' : 'entries'}, and none has the quantity of the change.`;
  return { is: 'absent', entries: newEntries, text };
}

function undecided(entries: readonly HistoryEntry[], text: string): ChangeLookupResult {
  return { is: 'undecided', entries, text };
}

function isSameChange(entry: HistoryEntry, { previous, quantity, memo }: SentChange): boolean {
  return (
    isSameQuantity(entry.quantity, quantity) &&
    (previous === null || isSameQuantity(entry.previous_quantity, previous)) &&
    isSameMemo(entry.memo, memo)
  );
}

/** Returns true if an entry may be the change: its memo may be altered, or another change may have come first. */
function hasSameQuantity(entry: HistoryEntry, { quantity }: SentChange): boolean {
  return isSameQuantity(entry.quantity, quantity);
}

function isSameMemo(a: string | null, b: string | null): boolean {
  return normalizeMemo(a) === normalizeMemo(b);
}

const normalizeMemo = (memo: string | null): string => (memo ?? '').replace(/\s+/g, ' ').trim();
