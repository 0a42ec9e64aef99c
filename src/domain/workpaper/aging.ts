/** A range of ages in days; `to_days` is null in the last. */
export interface AgingBucket {
  readonly from_days: number;
  readonly to_days: number | null;
}

/** First days of the default buckets: 0–7, 8–30, 31–60, 61–90, > 90. */
export const DEFAULT_AGING_BUCKETS: readonly number[] = [0, 8, 31, 61, 91];

/** Number of days for which a deposit counts as in transit. */
export const DEFAULT_TRANSIT_DAYS = 7;

/** Creates the buckets that start at these ages in days. */
export function createAgingBuckets(firsts: readonly number[]): AgingBucket[] {
  return firsts.map((from_days, at) => {
    const next = firsts[at + 1];
    return { from_days, to_days: next === undefined ? null : next - 1 };
  });
}

/** Returns the index of an age's bucket. Future dates are in the first bucket. */
export function findAgingBucket(firsts: readonly number[], age: number): number {
  const later = firsts.findIndex((first) => first > age);
  return later === -1 ? firsts.length - 1 : Math.max(later - 1, 0);
}

/** Returns what is wrong with the first days of buckets; null if they are valid. */
export function findAgingBucketsError(firsts: readonly number[]): string | null {
  if (firsts[0] !== 0) return 'The first bucket must start at day 0.';
  return firsts.every((first, at) => at === 0 || first > (firsts[at - 1] as number))
    ? null
    : 'Each bucket must start later than the previous one.';
}
