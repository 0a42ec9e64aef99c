import type { BackupReason } from '../../contract/index.ts';

export interface DatedCopy {
  /** ms UTC. */
  readonly at: number;
  readonly why: BackupReason;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The newest copies are kept, however close together. */
const NEWEST = 5;
/** Copies that a person or a change of the books called for are kept so long, each of them. */
const CALLED_FOR = 30 * DAY;

/** So far back the newest copy of each hour, day, week and month is kept. */
const stretches: readonly { readonly of: (at: number) => number | string; readonly back: number }[] = [
  { of: (at) => Math.floor(at / HOUR), back: DAY },
  { of: (at) => Math.floor(at / DAY), back: 14 * DAY },
  // Weeks from Monday on: the first day of 1970 was a Thursday.
  { of: (at) => Math.floor((at / DAY + 3) / 7), back: 8 * 7 * DAY },
  { of: (at) => new Date(at).toISOString().slice(0, 7), back: 731 * DAY },
];

/**
 * Which copies are kept at `now` (ms UTC): the newest five; one of each hour of the last day, of each day of the last two weeks, of
 * each week of the last eight, of each month of the last two years; what somebody asked for, and what stood there before an update
 * or a restore, thirty days. The newest of an hour is that of its day in the end, and so on: nothing a later stretch needs is let go.
 */
export function keptCopies<Copy extends DatedCopy>(copies: readonly Copy[], now: number): Set<Copy> {
  const newestFirst = [...copies].sort((one, other) => other.at - one.at);
  const kept = new Set(newestFirst.slice(0, NEWEST));
  for (const copy of newestFirst) {
    if (copy.why !== 'start' && now - copy.at <= CALLED_FOR) kept.add(copy);
  }
  for (const { of, back } of stretches) {
    const seen = new Set<number | string>();
    for (const copy of newestFirst) {
      if (now - copy.at > back || seen.has(of(copy.at))) continue;
      seen.add(of(copy.at));
      kept.add(copy);
    }
  }
  return kept;
}
