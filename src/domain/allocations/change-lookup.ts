import type { Allocation, HistorySight } from '../../contract/index.ts';
import { isSameQuantity, type Quantity } from '../ledger/index.ts';
import { formatCount } from '../text/format-count.ts';

/** An entry of an allocation history. */
export type AllocationHistoryEntry = Omit<Allocation, 'chained' | 'ordinal'>;

/** A change that may have been applied. `previous` is the quantity before the change; null if it was not recorded. */
export interface SentAllocationChange {
  readonly previous: Quantity | null;
  readonly quantity: Quantity;
  readonly memo: string | null;
}

/** An allocation history as read at one time, newest entry first. */
export interface AllocationHistory {
  readonly entries: readonly (AllocationHistoryEntry & { readonly at: number })[];
  /** Local time at which the history was read, in UTC milliseconds. */
  readonly readAt: number;
}

/** Summary of an allocation history before a change is sent, used to recognize later entries. */
export interface HistoryBeforeChange extends HistorySight {
  /** Service time in UTC milliseconds; null if the service sent none. */
  readonly service_at: number | null;
}

/** Result of looking up a change whose response was lost. */
export type ChangeLookupResult = {
  readonly entries: readonly AllocationHistoryEntry[];
  readonly text: string;
} & (
  | { readonly is: 'applied'; readonly entry: AllocationHistoryEntry }
  | { readonly is: 'absent' }
  | { readonly is: 'undecided' }
);

/**
 * Tolerance for clock differences between the service's machines. An entry recorded this long before sending may be the
 * change.
 */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** Summarizes an allocation history before a change is sent, for comparison afterwards. */
export function summarizeAllocationHistory(
  { entries, readAt }: AllocationHistory,
  change: SentAllocationChange,
): HistorySight {
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
 * Looks up a change in the history that was read after the change's response was lost.
 * The change is applied if exactly one new entry has the same quantities and memo and was recorded since. It is absent if
 * no new entry has its quantity. Otherwise it is undecided, and a person must check the entries.
 * Histories only grow at the newest end, so every entry added since the earlier read is new.
 */
export function lookUpSentChange(
  change: SentAllocationChange,
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

function undecided(entries: readonly AllocationHistoryEntry[], text: string): ChangeLookupResult {
  return { is: 'undecided', entries, text };
}

function isSameChange(
  entry: AllocationHistoryEntry,
  { previous, quantity, memo }: SentAllocationChange,
): boolean {
  return (
    isSameQuantity(entry.quantity, quantity) &&
    (previous === null || isSameQuantity(entry.previous_quantity, previous)) &&
    isSameMemo(entry.memo, memo)
  );
}

/**
 * Returns true if an entry has the quantity of the change. The service may have altered the memo, or another change may
 * have come first.
 */
function hasSameQuantity(entry: AllocationHistoryEntry, { quantity }: SentAllocationChange): boolean {
  return isSameQuantity(entry.quantity, quantity);
}

function isSameMemo(a: string | null, b: string | null): boolean {
  return normalizeMemo(a) === normalizeMemo(b);
}

const normalizeMemo = (memo: string | null): string => (memo ?? '').replace(/\s+/g, ' ').trim();
