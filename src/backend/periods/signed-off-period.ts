import type { SignOffChange, Workpaper } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { runInTimeSlices } from '../shared/time-slices.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { readAuditReceipt } from '../store/audit-log/audit-log.ts';
import { findClosedFigures, type StoredClosedFigures } from '../store/periods/closed-figures.ts';
import { findPeriod } from '../store/periods/period.ts';
import { readCurrentSignOffChanges, sumSignOffChanges } from '../store/periods/sign-off-change.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { readPeriodSignatures } from '../workpaper/period-signatures.ts';
import { type ComputedLists, type PeriodLists, readCurrentPeriodLists } from '../workpaper/report-lists.ts';
import { computeWorkpaperWithBilling, type WorkpaperCreationInfo } from '../workpaper/workpaper.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';
import { readSignedOffWorkpaper } from './closed-figures.ts';
import { readSignedOffLists } from './signed-off-lists.ts';
import { findSuspension } from './suspended-sign-off.ts';

/** Closed period as signed, with its changes since sign-off. */
export interface SignedOffPeriod {
  readonly closedFigures: StoredClosedFigures;
  /** The signed figures. Head and qualifications describe the current state and the changes since sign-off. */
  readonly workpaper: Workpaper;
  /** Yields the changes since sign-off, oldest first. */
  changes(): Iterable<SignOffChange>;
}

/** Returns the closed figures of a period, or null if the period is not closed. */
export function findClosedFiguresInForce(books: ReadableDb, name: string): StoredClosedFigures | null {
  const period = findPeriod(books, name);
  return period?.state === 'closed' ? findClosedFigures(books, period.id, period.version) : null;
}

/** Returns a closed period as signed, or null if it is not closed. `now` is UTC milliseconds by the local clock. */
export function readSignedOffPeriod(books: ReadableDb, name: string, now: number): SignedOffPeriod | null {
  const closedFigures = findClosedFiguresInForce(books, name);
  if (closedFigures === null) return null;
  const signed = readSignedOffWorkpaper(books, closedFigures);
  const receipt = readAuditReceipt(books);
  return {
    closedFigures,
    workpaper: {
      ...signed,
      head: {
        ...signed.head,
        ...readPeriodSignatures(books, name),
        audit: { entries: receipt.entries, head: receipt.hash },
        made_at: formatTimestamp(now),
      },
      qualifications: [
        ...qualifySuspension(books, closedFigures),
        ...qualifyChangesSinceSignOff(books, closedFigures.id),
        ...signed.qualifications,
      ],
    },
    changes: () => readCurrentSignOffChanges(books, closedFigures.id),
  };
}

/** Returns the workpaper with qualifications for damaged sign-off data at the beginning. */
export const addDamageQualifications = (workpaper: Workpaper, damage: readonly string[]): Workpaper => ({
  ...workpaper,
  qualifications: [
    ...damage.map((message) => ({ kind: 'damaged' as const, message })),
    ...workpaper.qualifications,
  ],
});

/** Returns the lists of a period: as signed if it is closed, or else from the current records and without the computed lists. */
export function readSignedOffPeriodLists(
  site: WorkpaperSite,
  period: string,
): PeriodLists & Partial<ComputedLists> {
  const closedFigures = findClosedFiguresInForce(site.books, period);
  return {
    ...readCurrentPeriodLists(site, period),
    ...(closedFigures === null ? {} : readSignedOffLists(site.books, closedFigures)),
  };
}

/**
 * Returns the workpaper of a month in a snapshot: as signed if it is closed, or else computed in time slices from the
 * current records.
 */
export async function readSnapshotWorkpaper(
  site: WorkpaperSite,
  period: string,
  stamp: WorkpaperCreationInfo,
): Promise<Workpaper> {
  const signed = readSignedOffPeriod(site.books, period, stamp.now);
  if (signed !== null) return signed.workpaper;
  return (await runInTimeSlices(computeWorkpaperWithBilling(site, period, stamp))).workpaper;
}

function qualifySuspension(
  books: ReadableDb,
  closedFigures: StoredClosedFigures,
): Workpaper['qualifications'] {
  const message = findSuspension(books, closedFigures);
  return message === null ? [] : [{ kind: 'suspended', message }];
}

function qualifyChangesSinceSignOff(books: ReadableDb, closedFigures: number): Workpaper['qualifications'] {
  const { count, sums } = sumSignOffChanges(books, closedFigures);
  if (count === 0) return [];
  const amounts = sums
    .map(({ currency, amount_in_cents }) => `${formatMoney(amount_in_cents)} ${currency}`)
    .join(', ');
  const rows = count === 1 ? '1 row has' : `${count} rows have`;
  return [
    {
      kind: 'changes',
      message: `These are the figures and lists as signed. Since then ${rows} changed, by ${amounts}. The changes are posted in the next period.`,
    },
  ];
}
