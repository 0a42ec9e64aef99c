/** A range of ages in days. `to_days` is null for the last range. */
export type AgingBucket = { readonly from_days: number; readonly to_days: number | null };

/** First ages of the default aging buckets: 0–7, 8–30, 31–60, 61–90 and over 90 days. */
export const DEFAULT_AGING_BUCKETS: readonly number[] = [0, 8, 31, 61, 91];

/** Number of days for which a deposit counts as in transit. Chosen by judgment; users can change it. */
export const DEFAULT_DEPOSIT_TRANSIT_DAYS = 7;

/** Creates the aging buckets that start at the given ages in days. */
export function createAgingBuckets(firsts: readonly number[]): AgingBucket[] {
  return firsts.map((from_days, at) => {
    const next = firsts[at + 1];
    return { from_days, to_days: next === undefined ? null : next - 1 };
  });
}

/** Returns the index of the aging bucket for an age. Future dates are in the first bucket. */
export function findAgingBucket(firsts: readonly number[], age: number): number {
  const later = firsts.findIndex((first) => first > age);
  return later === -1 ? firsts.length - 1 : Math.max(later - 1, 0);
}

/** Returns an error message if the first ages of the buckets are invalid; otherwise null. */
export function findAgingBucketsError(firsts: readonly number[]): string | null {
  if (firsts[0] !== 0) return 'The first bucket must start at day 0.';
  return firsts.every((first, at) => at === 0 || first > (firsts[at - 1] as number))
    ? null
    : 'Each bucket must start later than the previous one.';
}
