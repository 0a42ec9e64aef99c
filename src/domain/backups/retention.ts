import type { BackupReason } from '../../contract/index.ts';

export interface DatedBackup {
  /** Time at which the backup was made, in UTC milliseconds. */
  readonly at: number;
  readonly reason: BackupReason;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Number of newest backups that are always retained. Chosen by judgment. */
const ALWAYS_RETAINED = 5;
/** Retention of backups made on request or before a change of the books, in milliseconds. */
const REQUESTED_RETENTION_MS = 30 * DAY_MS;

/** Retention tiers. The newest backup of each hour, day, week or month is retained up to the tier's maximum age. */
const RETENTION_TIERS: readonly {
  readonly bucketOf: (at: number) => number | string;
  readonly maxAgeMs: number;
}[] = [
  { bucketOf: (at) => Math.floor(at / HOUR_MS), maxAgeMs: DAY_MS },
  { bucketOf: (at) => Math.floor(at / DAY_MS), maxAgeMs: 14 * DAY_MS },
  // Weeks start on Monday. January 1, 1970, was a Thursday.
  { bucketOf: (at) => Math.floor((at / DAY_MS + 3) / 7), maxAgeMs: 8 * 7 * DAY_MS },
  { bucketOf: (at) => new Date(at).toISOString().slice(0, 7), maxAgeMs: 731 * DAY_MS },
];

/**
 * Selects the backups to retain at `now` (UTC milliseconds): the newest five, then one per hour for a day, one per day
 * for two weeks, one per week for eight weeks and one per month for two years. Backups made on request, or before an
 * update or a restore, are retained for thirty days. Each tier retains its newest backups, so no backup that a later
 * tier needs is deleted. Backups with different audit logs (`historyOf` returns the key) are counted separately, so
 * that books with a shorter or foreign log never displace the longer one.
 */
export function selectRetainedBackups<Backup extends DatedBackup>(
  backups: readonly Backup[],
  now: number,
  historyOf: (backup: Backup) => number | string | null = () => null,
): Set<Backup> {
  const histories = Map.groupBy(backups, historyOf).values();
  return new Set(histories.flatMap((history) => selectFromHistory(history, now)));
}

function selectFromHistory<Backup extends DatedBackup>(backups: readonly Backup[], now: number): Set<Backup> {
  const newestFirst = [...backups].sort((one, other) => other.at - one.at);
  const retained = new Set(newestFirst.slice(0, ALWAYS_RETAINED));
  for (const copy of newestFirst)
    if (copy.reason !== 'start' && now - copy.at <= REQUESTED_RETENTION_MS) retained.add(copy);
  for (const { bucketOf, maxAgeMs } of RETENTION_TIERS) {
    const seen = new Set<number | string>();
    for (const copy of newestFirst) {
      if (now - copy.at > maxAgeMs || seen.has(bucketOf(copy.at))) continue;
      seen.add(bucketOf(copy.at));
      retained.add(copy);
    }
  }
  return retained;
}
