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
  closedFiguresInForce,
  closedRange,
  findClosedFiguresAround,
  recordRowStates,
  type SignOffChangeCause,
} from './record-changes.ts';

/** Number of rows inspected per batch. */
const BATCH = 200;
/** Number of changed rows from which whole chunks are compared, for example after the cache was fetched again. */
const MANY = 5000;
/** The range of all days. */
const EVER: ClosedSpan = { from: null, until: '9999-12-31' };

/** Records what a job changed in closed periods, as the job's last step. */
export async function detectChangesAfterJob(
  tools: { now: () => number; changes: Pick<ChangeEvents, 'tell'> },
  open: OpenSite,
  job: Pick<JobHandle, 'id' | 'site' | 'signal'>,
  change: string,
): Promise<void> {
  const noted = await detectChanges(open, { action: change, job: job.id, at: tools.now() }, job.signal);
  if (noted > 0) tools.changes.tell(job.site, 'periods');
}

/**
 * Compares what was synced or found by checks since the last time with the closed figures, and records late rows. Returns
 * the number of rows that were recorded as changed or are as signed again.
 */
export async function detectChanges(
  open: OpenSite,
  cause: SignOffChangeCause,
  signal: AbortSignal,
): Promise<number> {
  const { books } = open;
  const force = closedFiguresInForce(books);
  if (force === null) return 0;
  let noted = 0;
  for (const [kind, since] of [
    ['statement', statementsSince(open.cache, watchMark(books, 'statement'))],
    ['exception', exceptionsSince(books, watchMark(books, 'exception'))],
  ] as const) {
    const isMany = since.ids.length > MANY;
    for (const closedFigures of isMany ? force.allClosedFigures : []) {
      noted += await compareClosedKind(open, closedFigures, kind, { cause, signal }, force.posted_in);
    }
    for (let from = 0; !isMany && from < since.ids.length; from += BATCH) {
      const ids = since.ids.slice(from, from + BATCH);
      await yieldToEventLoop();
      signal.throwIfAborted();
      commit(books, () => {
        for (const closedFigures of force.allClosedFigures)
          noted += look(open, closedFigures, kind, ids, cause, force.posted_in);
      });
    }
    commit(books, () => saveWatchMark(books, kind, since.mark));
  }
  return noted + noticeLate(open, cause);
}

/** Marks everything read so far as compared, so that the next comparison starts after it. */
export function markAllCompared({ cache, books }: OpenSite): void {
  saveWatchMark(books, 'statement', statementsSince(cache, 0).mark);
  saveWatchMark(books, 'exception', exceptionsSince(books, 0).mark);
}

/** Compares rows with these ascending ids with the closed figures. */
function look(
  open: OpenSite,
  closedFigures: ClosedFiguresRow,
  kind: 'statement' | 'exception',
  ids: readonly number[],
  cause: SignOffChangeCause,
  posted_in: string,
): number {
  const { books, file } = open;
  let noted = 0;
  let around: { first: number; rows: Map<number, string> | null } = { first: 0, rows: new Map() };
  for (const row of ids) {
    const after = toClosedRow(open, kind, closedRange(closedFigures), row)?.text ?? null;
    if (row >= around.first && !around.rows?.has(row))
      around = { first: row, rows: findClosedFiguresAround(books, closedFigures.id, kind, row) };
    // A damaged chunk is reported separately.
    if (around.rows === null) continue;
    const before = around.rows.get(row) ?? null;
    // A late exception is reported separately. A late statement may have vanished again.
    if (kind === 'exception' && before === null && after === null) continue;
    if (
      recordRowStates(books, closedFigures, { kind, row, before, after }, cause, {
        posted_in,
        currency: file.currency,
      })
    )
      noted++;
  }
  return noted;
}

/** Records rows dated in closed periods that arrived after their closing, and ends those that no longer exist. */
function noticeLate(open: OpenSite, cause: SignOffChangeCause): number {
  const { books, file } = open;
  const force = closedFiguresInForce(books);
  if (force === null) return 0;
  const late = unnotedLate(books);
  const gone = lateNoMore(books);
  if (late.length + gone.length === 0) return 0;
  return commit(books, () => {
    for (const id of gone) endSignOffChange(books, id, cause.at, 'reverted');
    let noted = gone.length;
    for (const { closedFigures: id, kind, id: row } of late) {
      const closedFigures = force.allClosedFigures.find((each) => each.id === id);
      const after = toClosedRow(open, kind satisfies ClosedRowKind, EVER, row)?.text ?? null;
      if (closedFigures === undefined || after === null) continue;
      const where = { posted_in: force.posted_in, currency: file.currency };
      if (recordRowStates(books, closedFigures, { kind, row, before: null, after }, cause, where)) noted++;
    }
    return noted;
  });
}
