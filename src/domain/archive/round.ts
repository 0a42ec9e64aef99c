/** Every file is read again within so many days, a share of them each day. */
export const ROUND_DAYS = 30;
const DAY = 86_400_000;

/** How the daily reading stands: files still to read of what it was given, and when it was given (ms UTC). */
export interface Round {
  readonly due: number;
  readonly granted_at: number;
}

/**
 * What is to be read now: a thirtieth of the files for each day that went by, with what was left; never more than all of them.
 * The same object where the day has not gone by.
 */
export function grantRound(round: Round | null, files: number, now: number): Round {
  const days = round === null ? 1 : Math.floor((now - round.granted_at) / DAY);
  // A clock that was set back begins a new day.
  if (round !== null && days === 0) return round;
  const shares = Math.min(ROUND_DAYS, Math.max(1, days));
  const due = Math.min(files, (round?.due ?? 0) + Math.ceil((files * shares) / ROUND_DAYS));
  return { due, granted_at: now };
}
