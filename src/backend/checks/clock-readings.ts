import type { ClockReading } from '../store/checks/check-state.ts';

/**
 * Clock differences up to this many milliseconds are ignored: the service's Date header has whole seconds and arrives
 * with a delay.
 */
const CLOCK_TOLERANCE_MS = 60_000;
/** Maximum number of stored clock readings. Chosen by judgment. */
const MAX_CLOCK_READINGS = 100;

/**
 * Adds a clock reading if it differs from the last one. From local time `at` on, the service's clock is at least
 * `ahead` milliseconds ahead of the local clock.
 */
export function addClockReading(
  readings: readonly ClockReading[],
  at: number,
  ahead: number,
): readonly ClockReading[] {
  const last = readings.at(-1);
  if (Math.abs(ahead - (last?.ahead ?? 0)) < CLOCK_TOLERANCE_MS || at < (last?.at ?? at)) return readings;
  return [...readings, { at, ahead }].slice(-MAX_CLOCK_READINGS);
}

/** Converts a time of the local clock to the service's clock. */
export function toServiceTime(readings: readonly ClockReading[], moment: number): number {
  return moment + (readings.findLast(({ at }) => at <= moment)?.ahead ?? 0);
}
