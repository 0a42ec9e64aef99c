import type { DriftRow, Workpaper } from '../../contract/index.ts';
import { money } from '../../domain/ledger/index.ts';
import { type Lists, listsNow } from '../report/lists.ts';
import { auditEnd } from '../store/books/audit-list.ts';
import type { ReadableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { periodNamed } from '../store/periods/period.ts';
import { driftSums, standingDrift } from '../store/periods/period-drift.ts';
import { type StoredSeal, sealOf } from '../store/periods/period-seal.ts';
import { standingOf } from '../workpaper/standing.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { signedWorkpaper } from './sealed-content.ts';
import { signedLists } from './signed-lists.ts';

/** A closed period as it was signed. */
export interface AsSigned {
  readonly seal: StoredSeal;
  /** Its figures; its head says how it stands by now, its qualifications what changed since. */
  readonly workpaper: Workpaper;
  /** What changed since, the oldest first. */
  changes(): Iterable<DriftRow>;
}

/** The seal of a period that is closed; null for another. */
export function sealInForce(books: ReadableDb, name: string): StoredSeal | null {
  const period = periodNamed(books, name);
  return period?.state === 'closed' ? sealOf(books, period.id, period.version) : null;
}

/** What was signed of a period that is closed; null for another. `now`: our clock, ms UTC. */
export function asSigned(books: ReadableDb, name: string, now: number): AsSigned | null {
  const seal = sealInForce(books, name);
  if (seal === null) return null;
  const signed = signedWorkpaper(books, seal);
  const end = auditEnd(books);
  return {
    seal,
    workpaper: {
      ...signed,
      head: {
        ...signed.head,
        ...standingOf(books, name),
        audit: { entries: end?.seq ?? 0, head: end?.hash ?? null },
        made_at: isoMoment(now),
      },
      qualifications: [...changesSince(books, seal.id), ...signed.qualifications],
    },
    changes: () => standingDrift(books, seal.id),
  };
}

/** With what of its sign-off is damaged said before all else. */
export const withDamage = (workpaper: Workpaper, damage: readonly string[]): Workpaper => ({
  ...workpaper,
  qualifications: [
    ...damage.map((message) => ({ what: 'damaged' as const, message })),
    ...workpaper.qualifications,
  ],
});

/** The lists of a period: as they were signed where it is closed, else as the records stand. What they are read from may be locked by the books instead. */
export function listsShown(site: WorkpaperSite, period: string): Lists {
  const seal = sealInForce(site.books, period);
  return { ...listsNow(site, period), ...(seal === null ? {} : signedLists(site.books, seal)) };
}

function changesSince(books: ReadableDb, seal: number): Workpaper['qualifications'] {
  const { count, sums } = driftSums(books, seal);
  if (count === 0) return [];
  const amounts = sums
    .map(({ currency, amount_in_cents }) => `${money(amount_in_cents)} ${currency}`)
    .join(', ');
  const rows = count === 1 ? '1 row has' : `${count} rows have`;
  return [
    {
      what: 'drift',
      message: `These are the figures and lists as signed. Since then ${rows} changed, by ${amounts}; the changes land in the period after it.`,
    },
  ];
}
