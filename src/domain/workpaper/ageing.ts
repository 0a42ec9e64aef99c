/** A class of age in days; `to_days` is null in the last. */
export interface AgeBucket {
  readonly from_days: number;
  readonly to_days: number | null;
}

/** First days of the usual buckets: 0–7, 8–30, 31–60, 61–90, > 90. */
export const usualBuckets: readonly number[] = [0, 8, 31, 61, 91];

/** Money is taken to be on its way for so long. */
export const usualTransitDays = 7;

/** The buckets that begin on these days of age. */
export function bucketsOf(firsts: readonly number[]): AgeBucket[] {
  return firsts.map((from_days, at) => {
    const next = firsts[at + 1];
    return { from_days, to_days: next === undefined ? null : next - 1 };
  });
}

/** The place of the bucket an age falls into; what is dated ahead is in the first. */
export function bucketOf(firsts: readonly number[], age: number): number {
  const later = firsts.findIndex((first) => first > age);
  return later === -1 ? firsts.length - 1 : Math.max(later - 1, 0);
}

/** What is wrong with the first days of buckets, in a sentence; null where nothing is. */
export function bucketsFault(firsts: readonly number[]): string | null {
  if (firsts[0] !== 0) return 'The first bucket begins with day 0.';
  return firsts.every((first, at) => at === 0 || first > (firsts[at - 1] as number))
    ? null
    : 'Each bucket begins later than the one before it.';
}
