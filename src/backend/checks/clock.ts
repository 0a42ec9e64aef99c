import type { ClockReading } from '../store/checks/check-state.ts';

/** Clocks this close are not told apart: the service’s Date header has whole seconds, and takes its time to arrive. */
const SAME = 60_000;
/** Readings kept; a clock that is moved more often than this is not the service’s. */
const KEPT = 100;

/**
 * The readings with one more: `ahead` is how far the service’s clock is known to be ahead of ours, at least, for what was read
 * from `at` on (our clock).
 */
export function noteClock(
  readings: readonly ClockReading[],
  at: number,
  ahead: number,
): readonly ClockReading[] {
  const last = readings.at(-1);
  if (Math.abs(ahead - (last?.ahead ?? 0)) < SAME || at < (last?.at ?? at)) return readings;
  return [...readings, { at, ahead }].slice(-KEPT);
}

/** A moment of our clock by the service’s. */
export function serviceTime(readings: readonly ClockReading[], moment: number): number {
  return moment + (readings.findLast(({ at }) => at <= moment)?.ahead ?? 0);
}
