import {
  contractError,
  type Outputs,
  type PeriodDetail,
  type PeriodEntry,
  type PeriodRow,
  type PeriodSignature,
  type Workpaper,
} from '../../contract/index.ts';
import { allowedTransitions, findPeriodForLateRows } from '../../domain/periods/index.ts';
import { listMonths } from '../checks/list-months.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { countProposals } from '../store/matching/match-figures.ts';
import { lockedUntil } from '../store/period-lock/period-lock.ts';
import { countBroughtForward } from '../store/periods/brought-forward.ts';
import { closedFiguresOf } from '../store/periods/closed-figures.ts';
import {
  periodEntries,
  periodNamed,
  type StoredPeriod,
  type StoredPeriodEntry,
  storedPeriods,
} from '../store/periods/period.ts';
import { signOffChangeSums } from '../store/periods/sign-off-change.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { findDamageRemarks, findSignOffRemarks, toPeriodProgress } from './sign-off-remarks.ts';

/** Time (UTC milliseconds, local clock) and app version, recorded with the figures. */
export interface ClockAndVersion {
  now: number;
  version: string;
}

/** Returns the periods of a site and the month to close next. */
export function listPeriods(
  { cache, books }: Pick<WorkpaperSite, 'cache' | 'books'>,
  now: number,
): Outputs['periods']['list'] {
  const stored = storedPeriods(books);
  const storedMonths = listMonths({ cache, books }, now);
  const open = stored.filter(({ state }) => state !== 'closed').map(({ period }) => period);
  const late_row_period = findPeriodForLateRows(stored);
  const known = new Set(stored.map(({ period }) => period));
  const months = storedMonths.months
    .map(({ period }) => period)
    .filter((period) => !known.has(period) && (late_row_period === null || period >= late_row_period));
  const next = late_row_period !== null && months.includes(late_row_period) ? late_row_period : null;
  return {
    periods: stored.map((period) => toPeriodRow(books, period)),
    locked_until: lockedUntil(books),
    late_row_period,
    months,
    due: open.toSorted()[0] ?? next ?? (late_row_period === null ? storedMonths.due : null),
  };
}

/** Returns a period. Throws `not_found` if the month has not been opened. */
export function requirePeriod(books: ReadableDb, period: string): StoredPeriod {
  const stored = periodNamed(books, period);
  if (stored !== null) return stored;
  throw contractError({
    code: 'not_found',
    message: `${period} is not opened as a period.`,
    hint: 'Open it first.',
    retryable: false,
  });
}

function toPeriodRow(books: ReadableDb, period: StoredPeriod): PeriodRow {
  const entries = new Map(periodEntries(books, period.id).map((entry) => [entry.seq, entry]));
  const entryOf = (seq: number | null) => (seq === null ? null : (entries.get(seq) ?? null));
  const reviewed = entryOf(period.reviewed);
  const closedFigures = period.state === 'closed' ? closedFiguresOf(books, period.id, period.version) : null;
  return {
    period: period.period,
    first: period.first_on,
    last: period.last_on,
    state: period.state,
    version: period.version,
    opened: toSignature(entryOf(period.opened)!),
    submitted: toSignatureOrNull(entryOf(period.submitted)),
    reviewed:
      reviewed === null
        ? null
        : {
            ...toSignature(reviewed),
            self_review: reviewed.is_self_review === 1 ? (reviewed.text ?? '') : null,
          },
    closed: toSignatureOrNull(entryOf(period.closed)),
    sign_off_changes:
      closedFigures === null ? { count: 0, sums: [] } : signOffChangeSums(books, closedFigures.id),
    closing: period.closing_job,
  };
}

/**
 * Returns a period with its history, its progress, and the remarks that prevent or qualify a sign-off. The progress of a
 * closed period is as signed. Throws `not_found`.
 */
export function readPeriodDetail(
  site: WorkpaperSite,
  name: string,
  at: ClockAndVersion,
  workpaper: Workpaper,
): PeriodDetail {
  const { books } = site;
  const period = requirePeriod(books, name);
  const counted = {
    proposals: countProposals(books, period.last_on),
    brought_forward: countBroughtForward(books, period.first_on),
  };
  return {
    ...toPeriodRow(books, period),
    progress: toPeriodProgress(workpaper, counted),
    remarks:
      period.state === 'closed'
        ? findDamageRemarks(workpaper)
        : findSignOffRemarks(name, workpaper, storedPeriods(books), formatTimestamp(at.now).slice(0, 10)),
    moves: period.closing_job === null ? allowedTransitions(period.state) : [],
    history: periodEntries(books, period.id).map(toPeriodEntry),
  };
}

function toSignature({ at, name, user, text, figures }: StoredPeriodEntry): PeriodSignature {
  return { at: formatTimestamp(at), name, user, comment: text, figures };
}

const toSignatureOrNull = (entry: StoredPeriodEntry | null) => (entry === null ? null : toSignature(entry));

export function toPeriodEntry({ at, is_self_review, ...entry }: StoredPeriodEntry): PeriodEntry {
  return { ...entry, at: formatTimestamp(at), is_self_review: is_self_review === 1 };
}
