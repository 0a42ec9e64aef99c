import {
  contractError,
  type Outputs,
  type PeriodDetail,
  type PeriodEntry,
  type PeriodRow,
  type PeriodSignature,
  type Workpaper,
} from '../../contract/index.ts';
import { landingOf, movesFrom } from '../../domain/periods/index.ts';
import { checkMonths } from '../checks/months.ts';
import type { ReadableDb } from '../store/database.ts';
import { countProposals } from '../store/matching/match-figures.ts';
import { isoMoment } from '../store/moment.ts';
import {
  periodEntries,
  periodNamed,
  type StoredPeriod,
  type StoredPeriodEntry,
  storedPeriods,
} from '../store/periods/period.ts';
import { countCarried } from '../store/periods/period-carried.ts';
import { driftSums } from '../store/periods/period-drift.ts';
import { lockedUntil } from '../store/periods/period-lock.ts';
import { sealOf } from '../store/periods/period-seal.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { damageOf, progressOf, remarksOf } from './remarks.ts';

/** Our clock (ms UTC) and the app’s version, which figures are made with. */
export interface Now {
  now: number;
  version: string;
}

/** The periods of a site, and which month is due. */
export function periodList(
  { cache, books }: Pick<WorkpaperSite, 'cache' | 'books'>,
  now: number,
): Outputs['periods']['list'] {
  const stored = storedPeriods(books);
  const held = checkMonths({ cache, books }, now);
  const open = stored.filter(({ state }) => state !== 'closed').map(({ period }) => period);
  const landing = landingOf(stored);
  const known = new Set(stored.map(({ period }) => period));
  const months = held.months
    .map(({ period }) => period)
    .filter((period) => !known.has(period) && (landing === null || period >= landing));
  const next = landing !== null && months.includes(landing) ? landing : null;
  return {
    periods: stored.map((period) => periodRow(books, period)),
    locked_until: lockedUntil(books),
    landing,
    months,
    due: open.toSorted()[0] ?? next ?? (landing === null ? held.due : null),
  };
}

/** Throws `not_found` where the month was not opened. */
export function wantedPeriod(books: ReadableDb, period: string): StoredPeriod {
  const stored = periodNamed(books, period);
  if (stored !== null) return stored;
  throw contractError({
    code: 'not_found',
    message: `${period} is not opened as a period.`,
    hint: 'Open it first.',
    retryable: false,
  });
}

function periodRow(books: ReadableDb, period: StoredPeriod): PeriodRow {
  const entries = new Map(periodEntries(books, period.id).map((entry) => [entry.seq, entry]));
  const signed = (seq: number | null) => (seq === null ? null : (entries.get(seq) ?? null));
  const reviewed = signed(period.reviewed);
  const seal = period.state === 'closed' ? sealOf(books, period.id, period.version) : null;
  return {
    period: period.period,
    first: period.first_on,
    last: period.last_on,
    state: period.state,
    version: period.version,
    opened: signatureOf(signed(period.opened)!),
    submitted: shownSignature(signed(period.submitted)),
    reviewed:
      reviewed === null
        ? null
        : {
            ...signatureOf(reviewed),
            self_review: reviewed.is_self_review === 1 ? (reviewed.text ?? '') : null,
          },
    closed: shownSignature(signed(period.closed)),
    drift: seal === null ? { count: 0, sums: [] } : driftSums(books, seal.id),
    closing: period.sealing,
  };
}

/** A period with its history, how far it is by its workpaper (as signed where it is closed), and what signing it would meet. Throws `not_found`. */
export function periodDetail(site: WorkpaperSite, name: string, at: Now, workpaper: Workpaper): PeriodDetail {
  const { books } = site;
  const period = wantedPeriod(books, name);
  const counted = {
    proposals: countProposals(books, period.last_on),
    brought_forward: countCarried(books, period.first_on),
  };
  return {
    ...periodRow(books, period),
    progress: progressOf(workpaper, counted),
    remarks:
      period.state === 'closed'
        ? damageOf(workpaper)
        : remarksOf(name, workpaper, storedPeriods(books), isoMoment(at.now).slice(0, 10)),
    moves: period.sealing === null ? movesFrom(period.state) : [],
    history: periodEntries(books, period.id).map(shownEntry),
  };
}

function signatureOf({ at, name, user, text, figures }: StoredPeriodEntry): PeriodSignature {
  return { at: isoMoment(at), name, user, comment: text, figures };
}

const shownSignature = (entry: StoredPeriodEntry | null) => (entry === null ? null : signatureOf(entry));

export function shownEntry({ at, is_self_review, ...entry }: StoredPeriodEntry): PeriodEntry {
  return { ...entry, at: isoMoment(at), is_self_review: is_self_review === 1 };
}
