/** Number of days within which every archived file is checked once. */
export const ARCHIVE_CHECK_ROTATION_DAYS = 30;
const DAY_MS = 86_400_000;

/** State of the daily archive check: number of files due, and when files were last added to it, in UTC milliseconds. */
export type CheckRotation = { readonly due: number; readonly granted_at: number };

/** Adds one thirtieth of all files to the due files for each elapsed day, up to all files. */
export function scheduleDailyCheck(round: CheckRotation | null, files: number, now: number): CheckRotation {
  const days = round === null ? 1 : Math.floor((now - round.granted_at) / DAY_MS);
  // If the clock was set back, the number of days is negative. The rotation then starts a new day.
  if (round !== null && days === 0) return round;
  const shares = Math.min(ARCHIVE_CHECK_ROTATION_DAYS, Math.max(1, days));
  const due = Math.min(files, (round?.due ?? 0) + Math.ceil((files * shares) / ARCHIVE_CHECK_ROTATION_DAYS));
  return { due, granted_at: now };
}
