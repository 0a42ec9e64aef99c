import fc from 'fast-check';

/** Returns the rows in a random order, as if they had been imported in a different order. */
export function shuffle<T>(rows: readonly T[], seed: number): T[] {
  return fc.sample(fc.shuffledSubarray([...rows], { minLength: rows.length }), {
    seed,
    numRuns: 1,
  })[0] as T[];
}
