import type { Allocation, HistorySight } from '../../contract/index.ts';
import { counted } from '../counted.ts';
import { type Quantity, sameQuantity } from '../ledger/index.ts';

/** An allocation as a history has it. */
export type Entry = Omit<Allocation, 'chained' | 'ordinal'>;

/** A change that may have been carried out. `previous`: the quantity it was sent to replace; null where none was recorded. */
export interface Sought {
  readonly previous: Quantity | null;
  readonly quantity: Quantity;
  readonly memo: string | null;
}

/** A history at a moment, newest first, its times read. */
export interface History {
  readonly entries: readonly (Entry & { readonly at: number })[];
  /** When it was read, ms UTC, our clock. */
  readonly readAt: number;
}

/** What the history showed before the change was sent: with what of it must stand there still. */
export interface Before extends HistorySight {
  /** ms UTC by the service's clock; null where it told none. */
  readonly service_at: number | null;
}

/** What a history tells of a change whose answer was lost. */
export type Verdict = { readonly entries: readonly Entry[]; readonly text: string } & (
  | { readonly is: 'applied'; readonly entry: Entry }
  | { readonly is: 'absent' }
  | { readonly is: 'undecided' }
);

/** The clocks of the service's machines differ; what was recorded this much before it was sent may still be it. */
const SLACK_MS = 5 * 60_000;

/** What a history shows of a change: to be kept before it is sent, and compared afterwards. */
export function sightOf({ entries, readAt }: History, sought: Sought): HistorySight {
  const newest = entries[0];
  return {
    count: entries.length,
    equal: entries.filter((entry) => isEqual(entry, sought)).length,
    quantity: newest?.quantity ?? null,
    newest_at: newest?.timestamp ?? null,
    read_at: new Date(readAt).toISOString(),
  };
}

/**
 * Looks a change up in the history read after its answer was lost. It is applied where exactly one entry that was not there
 * before is equal to it (from, to, memo, and recorded since); absent where none is like it; undecided otherwise: then a
 * person must look at the entries. A history only ever grows at its head, so the entries that were not there before are
 * those in front of as many as there were.
 */
export function lookUp(sought: Sought, before: Before, after: History): Verdict {
  const grown = after.entries.length - before.count;
  if (grown < 0) {
    return undecided([], 'The history is shorter than before it was sent: it is not the same history.');
  }
  const fresh = after.entries.slice(0, grown);
  const stands = after.entries[grown]?.timestamp ?? null;
  if (stands !== before.newest_at) {
    return undecided(fresh, 'What stood in the history before it was sent does not stand there any more.');
  }
  const equal = fresh.filter((entry) => isEqual(entry, sought));
  const since = before.service_at === null ? null : before.service_at - SLACK_MS;
  const [found] = equal;
  if (found !== undefined && equal.length === 1) {
    if (since !== null && found.at < since) {
      return undecided(
        fresh,
        `An entry equal to it is new, but says that it was recorded at ${found.timestamp}.`,
      );
    }
    const counts = `${counted(before.equal, 'entry', 'entries')} equal to it before, ${before.equal + 1} now`;
    return {
      is: 'applied',
      entry: found,
      entries: fresh,
      text: `The history shows it, recorded at ${found.timestamp}; ${counts}.`,
    };
  }
  if (equal.length > 1) {
    return undecided(fresh, `${equal.length} new entries are equal to it: one of them may be it, or none.`);
  }
  if (fresh.some((entry) => isLike(entry, sought))) {
    return undecided(
      fresh,
      'A new entry is like it, but not equal to it in what it replaced or in its memo.',
    );
  }
  const text =
    fresh.length === 0
      ? `The history has not changed: ${after.entries.length} entries before and now.`
      : `The history has ${fresh.length} new ${fresh.length === 1 ? 'entry' : 'entries'}, and none is like it.`;
  return { is: 'absent', entries: fresh, text };
}

function undecided(entries: readonly Entry[], text: string): Verdict {
  return { is: 'undecided', entries, text };
}

function isEqual(entry: Entry, { previous, quantity, memo }: Sought): boolean {
  return (
    sameQuantity(entry.quantity, quantity) &&
    (previous === null || sameQuantity(entry.previous_quantity, previous)) &&
    sameMemo(entry.memo, memo)
  );
}

/** Possibly the change: with its memo altered by the service, after another change that came before it, or both. */
function isLike(entry: Entry, { quantity }: Sought): boolean {
  return sameQuantity(entry.quantity, quantity);
}

function sameMemo(a: string | null, b: string | null): boolean {
  return plain(a) === plain(b);
}

const plain = (memo: string | null): string => (memo ?? '').replace(/\s+/g, ' ').trim();
