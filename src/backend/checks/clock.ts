import type { ClockReading } from '../store/checks/check-state.ts';

/**
 * Clock differences in milliseconds below which clocks count as equal: the service's Date header has whole seconds and
 * some delay.
 */
const SAME = 60_000;
/** Maximum number of stored readings. Chosen by judgment. */
const KEPT = 100;

/**
 * Returns the readings with another one: the service's clock is ahead of the local one by at least `ahead` milliseconds
 * for data read from `at` on (local clock).
 */
export function addClockReading(
  readings: readonly ClockReading[],
  at: number,
  ahead: number,
): readonly ClockReading[] {
  const last = readings.at(-1);
  if (Math.abs(ahead - (last?.ahead ?? 0)) < SAME || at < (last?.at ?? at)) return readings;
  return [...readings, { at, ahead }].slice(-KEPT);
}

/** Converts an instant of the local clock to the service's clock. */
export function toServiceTime(readings: readonly ClockReading[], moment: number): number {
  return moment + (readings.findLast(({ at }) => at <= moment)?.ahead ?? 0);
}
