import type { SignOffChange, Workpaper } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { auditEnd } from '../store/audit-log/audit-list.ts';
import { closedFiguresOf, type StoredClosedFigures } from '../store/periods/closed-figures.ts';
import { periodNamed } from '../store/periods/period.ts';
import { countCurrentSignOffChanges, signOffChangeSums } from '../store/periods/sign-off-change.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { type Lists, listsNow } from '../workpaper/report-lists.ts';
import { standingOf } from '../workpaper/standing.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { signedWorkpaper } from './sealed-content.ts';
import { signedLists } from './signed-lists.ts';

/** A closed period as signed. */
export interface SignedPeriod {
  readonly closedFigures: StoredClosedFigures;
  /** The signed figures. The head and the qualifications describe the current state and the changes since sign-off. */
  readonly workpaper: Workpaper;
  /** Yields the changes since sign-off, oldest first. */
  changes(): Iterable<SignOffChange>;
}

/** Returns the closed figures of a closed period, or null if it is not closed. */
export function findClosedFiguresInForce(books: ReadableDb, name: string): StoredClosedFigures | null {
  const period = periodNamed(books, name);
  return period?.state === 'closed' ? closedFiguresOf(books, period.id, period.version) : null;
}

/** Returns the signed state of a closed period, or null if it is not closed. `now` is UTC milliseconds, local clock. */
export function readSignedPeriod(books: ReadableDb, name: string, now: number): SignedPeriod | null {
  const closedFigures = findClosedFiguresInForce(books, name);
  if (closedFigures === null) return null;
  const signed = signedWorkpaper(books, closedFigures);
  const end = auditEnd(books);
  return {
    closedFigures,
    workpaper: {
      ...signed,
      head: {
        ...signed.head,
        ...standingOf(books, name),
        audit: { entries: end?.seq ?? 0, head: end?.hash ?? null },
        made_at: formatTimestamp(now),
      },
      qualifications: [...changesSince(books, closedFigures.id), ...signed.qualifications],
    },
    changes: () => countCurrentSignOffChanges(books, closedFigures.id),
  };
}

/** Returns the workpaper with damage of its sign-off listed first. */
export const withDamageListed = (workpaper: Workpaper, damage: readonly string[]): Workpaper => ({
  ...workpaper,
  qualifications: [
    ...damage.map((message) => ({ kind: 'damaged' as const, message })),
    ...workpaper.qualifications,
  ],
});

/**
 * Returns the lists of a period: as signed if it is closed, else from the current records. `books` may be a snapshot held
 * open by the caller.
 */
export function periodLists(site: WorkpaperSite, period: string): Lists {
  const closedFigures = findClosedFiguresInForce(site.books, period);
  return {
    ...listsNow(site, period),
    ...(closedFigures === null ? {} : signedLists(site.books, closedFigures)),
  };
}

function changesSince(books: ReadableDb, closedFigures: number): Workpaper['qualifications'] {
  const { count, sums } = signOffChangeSums(books, closedFigures);
  if (count === 0) return [];
  const amounts = sums
    .map(({ currency, amount_in_cents }) => `${formatMoney(amount_in_cents)} ${currency}`)
    .join(', ');
  const rows = count === 1 ? '1 row has' : `${count} rows have`;
  return [
    {
      kind: 'changes',
      message: `These are the figures and lists as signed. Since then ${rows} changed, by ${amounts}; the changes land in the period after it.`,
    },
  ];
}
