import type { Workpaper } from '../../contract/index.ts';
import { money } from '../../domain/ledger/index.ts';
import { auditEnd } from '../store/books/auditList.ts';
import type { ReadableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { periodNamed } from '../store/periods/period.ts';
import { driftSums } from '../store/periods/periodDrift.ts';
import { chunkAround, chunksOf, sealOf, signedFigures } from '../store/periods/periodSeal.ts';
import type { SignedStatus } from '../store/periods/reportRows.ts';
import { standingOf } from '../workpaper/standing.ts';
import { rowsOfChunk } from './drift.ts';

/** A closed period as it was signed. */
export interface AsSigned {
  /** Its figures; its head says how it stands by now, its qualifications what changed since. */
  readonly workpaper: Workpaper;
  /** How the exceptions stood, by their ids. */
  exceptions(): ReadonlyMap<number, SignedStatus>;
}

/** What was signed of a period that is closed; null for another. `now`: our clock, ms UTC. */
export function asSigned(books: ReadableDb, name: string, now: number): AsSigned | null {
  const period = periodNamed(books, name);
  const seal = period?.state === 'closed' ? sealOf(books, period.id, period.version) : null;
  if (seal === null) return null;
  const signed = JSON.parse(signedFigures(books, seal.id)) as Workpaper;
  const end = auditEnd(books);
  return {
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
    exceptions: () => sealedStatuses(books, seal.id),
  };
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
      message: `These are the figures as signed. Since then ${rows} changed, by ${amounts}; the changes land in the period after it.`,
    },
  ];
}

function sealedStatuses(books: ReadableDb, seal: number): Map<number, SignedStatus> {
  const statuses = new Map<number, SignedStatus>();
  for (const { first_row } of chunksOf(books, seal, 'exception')) {
    for (const [id, text] of rowsOfChunk(chunkAround(books, seal, 'exception', first_row)!.content)) {
      statuses.set(id, (JSON.parse(text) as { status: SignedStatus }).status);
    }
  }
  return statuses;
}
