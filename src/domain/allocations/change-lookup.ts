import type { Allocation, AllocationHistorySnapshot } from '../../contract/index.ts';
import { isSameQuantity, type Quantity } from '../ledger/index.ts';
import { formatCount } from '../text/format-count.ts';

export type AllocationHistoryEntry = Omit<Allocation, 'chained' | 'ordinal'>;

/** A quantity change that was sent and may have been applied. `previous` is the quantity before it; null if unknown. */
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
export interface HistoryBeforeChange extends AllocationHistorySnapshot {
  /** Service time in UTC milliseconds; null if the service sent none. */
  readonly service_at: number | null;
}

/** Result of looking up a change whose response was lost. */
export type AllocationChangeLookupResult = {
  readonly entries: readonly AllocationHistoryEntry[];
  readonly text: string;
} & (
  | { readonly is: 'applied'; readonly entry: AllocationHistoryEntry }
  | { readonly is: 'absent' }
  | { readonly is: 'undecided' }
);

/** Tolerance for clock differences between the service's machines. Chosen by judgment. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** Summarizes an allocation history before a change is sent, for a later comparison. */
export function summarizeAllocationHistory(
  { entries, readAt }: AllocationHistory,
  change: SentAllocationChange,
): AllocationHistorySnapshot {
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
 * Looks up a change in the history that was read after the change's response was lost. The change is applied if exactly
 * one new entry has its quantities and memo, and absent if no new entry has its quantity. Otherwise a person must
 * decide. Histories only grow at the newest end, so every entry added since the earlier read is new.
 */
export function lookUpSentAllocationChange(
  change: SentAllocationChange,
  before: HistoryBeforeChange,
  after: AllocationHistory,
): AllocationChangeLookupResult {
  const newCount = after.entries.length - before.count;
  const entries = after.entries.slice(0, Math.max(newCount, 0));
  const undecided = (text: string): AllocationChangeLookupResult => ({ is: 'undecided', entries, text });
  if (newCount < 0)
    return undecided('The history is shorter than before the change was sent, so it is a different history.');
  if ((after.entries[newCount]?.timestamp ?? null) !== before.newest_at)
    return undecided('Earlier entries of the history have changed since the change was sent.');
  const equal = entries.filter((entry) => isSameChange(entry, change));
  const since = before.service_at === null ? null : before.service_at - CLOCK_TOLERANCE_MS;
  const [entry] = equal;
  if (equal.length > 1)
    return undecided(`${equal.length} new entries match the change. One of them may be the change, or none.`);
  if (entry !== undefined) {
    const recorded = `recorded at ${entry.timestamp}`;
    if (since !== null && entry.at < since)
      return undecided(`A new entry matches the change, but was ${recorded}, before the change was sent.`);
    const counts = `${formatCount(before.equal, 'identical entry', 'identical entries')} before, ${before.equal + 1} now`;
    return {
      is: 'applied',
      entry,
      entries,
      text: `The history contains the change, ${recorded}: ${counts}.`,
    };
  }
  // An entry with the change's quantity may be the change itself: the service may have altered its memo.
  if (entries.some(({ quantity }) => isSameQuantity(quantity, change.quantity)))
    return undecided('A new entry has the same quantity, but a different previous quantity or memo.');
  const text =
    newCount === 0
      ? `The history is unchanged: ${formatCount(after.entries.length, 'entry', 'entries')} before and now.`
      : `The history has ${formatCount(newCount, 'new entry', 'new entries')}, but none has the quantity of the change.`;
  return { is: 'absent', entries, text };
}

function isSameChange(entry: AllocationHistoryEntry, { previous, quantity, memo }: SentAllocationChange) {
  return (
    isSameQuantity(entry.quantity, quantity) &&
    (previous === null || isSameQuantity(entry.previous_quantity, previous)) &&
    isSameMemo(entry.memo, memo)
  );
}

const isSameMemo = (a: string | null, b: string | null): boolean => normalizeMemo(a) === normalizeMemo(b);

const normalizeMemo = (memo: string | null): string => (memo ?? '').replace(/\s+/g, ' ').trim();
