import type { ClosedRowKind } from '../../contract/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { type ClosedSpan, toClosedRow } from '../store/periods/closed-rows.ts';
import { exceptionsSince, statementsSince } from '../store/periods/period-marks.ts';
import {
  endSignOffChange,
  lateNoMore,
  saveWatchMark,
  unnotedLate,
  watchMark,
} from '../store/periods/sign-off-change.ts';
import { commit } from '../store/sqlite/connection.ts';
import { compareClosedKind } from './compare-closed-rows.ts';
import {
  type ClosedFiguresRow,
  closedDateRange,
  closedFiguresInForce,
  readClosedRowsAround,
  recordRowChange,
  type SignOffChangeCause,
} from './record-changes.ts';

/** Number of rows compared per batch. */
const ROWS_PER_BATCH = 200;
/**
 * Number of changed rows above which entire chunks are compared, for example after the cache was rebuilt. Chosen by
 * judgment.
 */
const CHUNK_COMPARISON_THRESHOLD = 5000;
/** The range of all days. */
const ALL_DAYS: ClosedSpan = { from: null, until: '9999-12-31' };

/** Records the changes that a job made in closed periods. This is the job's last step. */
export async function detectChangesAfterJob(
  tools: { now: () => number; changes: Pick<ChangeEvents, 'emit'> },
  open: OpenSite,
  job: Pick<JobHandle, 'id' | 'site' | 'signal'>,
  change: string,
): Promise<void> {
  const recorded = await detectChanges(open, { action: change, job: job.id, at: tools.now() }, job.signal);
  if (recorded > 0) tools.changes.emit(job.site, 'periods');
}

/**
 * Compares rows synced or checked since the last comparison with the closed figures, and records late rows. Returns the
 * number of rows recorded as changed or reverted.
 */
export async function detectChanges(
  open: OpenSite,
  cause: SignOffChangeCause,
  signal: AbortSignal,
): Promise<number> {
  const { books } = open;
  const force = closedFiguresInForce(books);
  if (force === null) return 0;
  let recorded = 0;
  for (const [kind, since] of [
    ['statement', statementsSince(open.cache, watchMark(books, 'statement'))],
    ['exception', exceptionsSince(books, watchMark(books, 'exception'))],
  ] as const) {
    const isMany = since.ids.length > CHUNK_COMPARISON_THRESHOLD;
    for (const closedFigures of isMany ? force.allClosedFigures : []) {
      recorded += await compareClosedKind(open, closedFigures, kind, { cause, signal }, force.posted_in);
    }
    for (let from = 0; !isMany && from < since.ids.length; from += ROWS_PER_BATCH) {
      const ids = since.ids.slice(from, from + ROWS_PER_BATCH);
      await yieldToEventLoop();
      signal.throwIfAborted();
      commit(books, () => {
        for (const closedFigures of force.allClosedFigures)
          recorded += compareRows(open, closedFigures, kind, ids, cause, force.posted_in);
      });
    }
    commit(books, () => saveWatchMark(books, kind, since.mark));
  }
  return recorded + recordLateRows(open, cause);
}

/** Marks all rows read so far as compared, so that the next comparison starts after them. */
export function markAllCompared({ cache, books }: OpenSite): void {
  saveWatchMark(books, 'statement', statementsSince(cache, 0).mark);
  saveWatchMark(books, 'exception', exceptionsSince(books, 0).mark);
}

/** Compares the rows with these ids with the closed figures. The ids must be ascending. */
function compareRows(
  open: OpenSite,
  closedFigures: ClosedFiguresRow,
  kind: 'statement' | 'exception',
  ids: readonly number[],
  cause: SignOffChangeCause,
  posted_in: string,
): number {
  const { books, file } = open;
  let recorded = 0;
  let around: { first: number; rows: Map<number, string> | null } = { first: 0, rows: new Map() };
  for (const row of ids) {
    const after = toClosedRow(open, kind, closedDateRange(closedFigures), row)?.text ?? null;
    if (row >= around.first && !around.rows?.has(row))
      around = { first: row, rows: readClosedRowsAround(books, closedFigures.id, kind, row) };
    // A damaged chunk is reported separately.
    if (around.rows === null) continue;
    const before = around.rows.get(row) ?? null;
    // A late exception is reported separately. A late statement may have disappeared again.
    if (kind === 'exception' && before === null && after === null) continue;
    if (
      recordRowChange(books, closedFigures, { kind, row, before, after }, cause, {
        posted_in,
        currency: file.currency,
      })
    )
      recorded++;
  }
  return recorded;
}

/**
 * Records rows that are dated in a closed period but arrived after its closing. Ends recorded changes of late rows that
 * no longer exist.
 */
function recordLateRows(open: OpenSite, cause: SignOffChangeCause): number {
  const { books, file } = open;
  const force = closedFiguresInForce(books);
  if (force === null) return 0;
  const late = unnotedLate(books);
  const gone = lateNoMore(books);
  if (late.length + gone.length === 0) return 0;
  return commit(books, () => {
    for (const id of gone) endSignOffChange(books, id, cause.at, 'reverted');
    let recorded = gone.length;
    for (const { closedFigures: id, kind, id: row } of late) {
      const closedFigures = force.allClosedFigures.find((each) => each.id === id);
      const after = toClosedRow(open, kind satisfies ClosedRowKind, ALL_DAYS, row)?.text ?? null;
      if (closedFigures === undefined || after === null) continue;
      const where = { posted_in: force.posted_in, currency: file.currency };
      if (recordRowChange(books, closedFigures, { kind, row, before: null, after }, cause, where)) recorded++;
    }
    return recorded;
  });
}
