import {
  type ContractOutputs,
  commentReferenceSchema,
  createNonRetryableError,
  type PeriodDetail,
  type PeriodHistoryEntry,
  type PeriodRow,
  type PeriodSignature,
  type Workpaper,
} from '../../contract/index.ts';
import { findPeriodForLateRows, listAllowedPeriodTransitions } from '../../domain/periods/index.ts';
import { listMonthsWithRecords } from '../checks/months-with-records.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { countUndecidedProposals } from '../store/matching/match-figures.ts';
import { findLastLockedDay } from '../store/period-lock/period-lock.ts';
import { countBroughtForwardItems } from '../store/periods/brought-forward.ts';
import { findClosedFigures } from '../store/periods/closed-figures.ts';
import {
  findPeriod,
  listPeriodEntries,
  listStoredPeriods,
  type StoredPeriod,
  type StoredPeriodEntry,
} from '../store/periods/period.ts';
import { sumSignOffChanges } from '../store/periods/sign-off-change.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { parseSignedStatements } from '../workpaper/period-signatures.ts';
import type { WorkpaperCreationInfo } from '../workpaper/workpaper.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';
import {
  findChangedFiguresRemarks,
  findCommentRemarks,
  findSignOffDamageRemarks,
  findSignOffRemarks,
  findSuspensionRemarks,
  toPeriodProgress,
} from './sign-off-remarks.ts';
import { findSuspension } from './suspended-sign-off.ts';

/** Returns the periods of a site and the month to close next. */
export function listPeriods(
  { cache, books }: Pick<WorkpaperSite, 'cache' | 'books'>,
  now: number,
): ContractOutputs['periods']['list'] {
  const stored = listStoredPeriods(books);
  const storedMonths = listMonthsWithRecords({ cache, books }, now);
  const open = stored.filter(({ state }) => state !== 'closed').map(({ period }) => period);
  const late_row_period = findPeriodForLateRows(stored);
  const known = new Set(stored.map(({ period }) => period));
  const months = storedMonths.months
    .map(({ period }) => period)
    .filter((period) => !known.has(period) && (late_row_period === null || period >= late_row_period));
  const next = late_row_period !== null && months.includes(late_row_period) ? late_row_period : null;
  return {
    periods: stored.map((period) => toPeriodRow(books, period)),
    locked_until: findLastLockedDay(books),
    late_row_period,
    months,
    due: open.toSorted()[0] ?? next ?? (late_row_period === null ? storedMonths.due : null),
  };
}

/** Returns a period. Throws `not_found` if the month has not been opened. */
export function requirePeriod(books: ReadableDb, period: string): StoredPeriod {
  const stored = findPeriod(books, period);
  if (stored !== null) return stored;
  throw createNonRetryableError('not_found', `${period} has not been opened.`, 'Open it first.');
}

function toPeriodRow(books: ReadableDb, period: StoredPeriod): PeriodRow {
  const entries = new Map(listPeriodEntries(books, period.id).map((entry) => [entry.seq, entry]));
  const toSignatureOrNull = (seq: number | null) => {
    const entry = seq === null ? undefined : entries.get(seq);
    return entry === undefined ? null : toSignature(entry);
  };
  const reviewed = period.reviewed === null ? undefined : entries.get(period.reviewed);
  const self_review = reviewed?.is_self_review === 1 ? (reviewed.text ?? '') : null;
  const closedFigures =
    period.state === 'closed' ? findClosedFigures(books, period.id, period.version) : null;
  return {
    period: period.period,
    first: period.first_on,
    last: period.last_on,
    state: period.state,
    version: period.version,
    opened: toSignature(entries.get(period.opened)!),
    submitted: toSignatureOrNull(period.submitted),
    reviewed: reviewed === undefined ? null : { ...toSignature(reviewed), self_review },
    closed: toSignatureOrNull(period.closed),
    sign_off_changes:
      closedFigures === null ? { count: 0, sums: [] } : readSignOffChangeTotals(books, closedFigures.id),
    suspended: closedFigures === null ? null : findSuspension(books, closedFigures),
    closing: period.closing_job,
  };
}

function readSignOffChangeTotals(books: ReadableDb, closedFigures: number): PeriodRow['sign_off_changes'] {
  const { count, sums } = sumSignOffChanges(books, closedFigures);
  return {
    count,
    sums: sums.map(({ currency, amount_in_cents }) => ({ currency, amount_in_cents })),
  };
}

/** Returns a period with its history, progress and sign-off remarks. Throws `not_found`. */
export function readPeriodDetail(
  site: WorkpaperSite,
  name: string,
  at: WorkpaperCreationInfo,
  workpaper: Workpaper,
): PeriodDetail {
  const { books } = site;
  const period = requirePeriod(books, name);
  const history = listPeriodEntries(books, period.id).map(toPeriodEntry);
  const counted = {
    proposals: countUndecidedProposals(books, period.last_on),
    brought_forward: countBroughtForwardItems(books, period.first_on),
  };
  const row = toPeriodRow(books, period);
  return {
    ...row,
    progress: toPeriodProgress(workpaper, counted),
    remarks:
      period.state === 'closed'
        ? [...findSignOffDamageRemarks(workpaper), ...findSuspensionRemarks(row.suspended)]
        : [
            ...findCommentRemarks(period.state, history),
            ...findChangedFiguresRemarks(name, workpaper, row.submitted),
            ...findSignOffRemarks(
              name,
              workpaper,
              listStoredPeriods(books),
              formatTimestamp(at.now).slice(0, 10),
            ),
          ],
    moves: period.closing_job === null ? listAllowedPeriodTransitions(period.state) : [],
    history,
  };
}

function toSignature({ at, name, user, text, figures, key, statements }: StoredPeriodEntry): PeriodSignature {
  const certified = parseSignedStatements(statements);
  return { at: formatTimestamp(at), name, user, comment: text, figures, key, statements: certified };
}

export function toPeriodEntry(stored: StoredPeriodEntry): PeriodHistoryEntry {
  const { at, is_self_review, statements, about, ...entry } = stored;
  return {
    ...entry,
    at: formatTimestamp(at),
    is_self_review: is_self_review === 1,
    statements: parseSignedStatements(statements),
    about: about === null ? null : commentReferenceSchema.parse(JSON.parse(about)),
  };
}
