/** Returns an unsigned 32-bit hash. Hashes serve as random numbers, so that each row can be generated independently. */
export function hashNumbers(seed: number, a: number, b = 0, c = 0): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ a, 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12) ^ b, 0x297a2d39);
  h = Math.imul(h ^ (h >>> 15) ^ c, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Returns a random number in the range [0, 1). */
export const randomFraction = (seed: number, a: number, b = 0, c = 0): number =>
  hashNumbers(seed, a, b, c) / 4294967296;

/** Topics of random numbers. Each topic has its own sequence, so that a new use does not change the others. */
export const randomTopics = {
  product: 1,
  quantity: 2,
  coupon: 3,
  region: 4,
  card: 5,
  decline: 6,
  retry: 7,
  change: 8,
  refund: 9,
  cancel: 10,
  oneTime: 11,
  signup: 12,
  name: 13,
  scheme: 14,
  extra: 15,
  scattered: 17,
  outage: 18,
  id: 19,
  fault: 20,
  bank: 21,
} as const;

export const pickRandomItem = <T>(list: readonly T[], draw: number): T =>
  list[Math.floor(draw * list.length)] as T;
