/** Returns a generator of random numbers derived from a seed (mulberry32). */
export function chance(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (bound: number) => Math.floor(next() * bound),
    is: (likely: number) => next() < likely,
    one: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T,
  };
}
export type Chance = ReturnType<typeof chance>;
