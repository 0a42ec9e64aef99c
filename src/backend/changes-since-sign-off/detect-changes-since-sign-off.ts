import type { ChangeEvents } from '../jobs/change-events.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { listExceptionsChangedSince, listStatementsChangedSince } from '../store/periods/changed-records.ts';
import { findClosedRowChunk } from '../store/periods/closed-figures.ts';
import { type ClosedDateRange, readClosedRow } from '../store/periods/closed-rows.ts';
import {
  endSignOffChange,
  getSignOffWatermark,
  listResolvedLateRows,
  listUnrecordedLateRows,
  saveSignOffWatermark,
} from '../store/periods/sign-off-change.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { compareClosedRowsOfKind } from './compare-closed-rows.ts';
import {
  type ClosedFiguresRow,
  findClosedFiguresInForce,
  parseClosedChunkRows,
  recordClosedRowChange,
  type SignOffChangeCause,
  type SignOffChangeContext,
  toClosedDateRange,
} from './record-changes-since-sign-off.ts';

/** Number of rows compared per batch. */
const ROWS_PER_BATCH = 200;
/** Number of changed rows above which entire chunks are compared, as after a cache rebuild. Chosen by judgment. */
const CHUNK_COMPARISON_THRESHOLD = 5000;
const ALL_DAYS: ClosedDateRange = { from: null, until: '9999-12-31' };

/** Records the changes that a job made in closed periods. This is the job's last step. */
export async function detectChangesAfterJob(
  tools: { now: () => number; changes: Pick<ChangeEvents, 'emit'> },
  open: OpenSite,
  job: Pick<JobHandle, 'id' | 'site' | 'signal'>,
  change: string,
): Promise<void> {
  const recorded = await detectChangesSinceSignOff(
    open,
    { action: change, job: job.id, at: tools.now() },
    job.signal,
  );
  if (recorded > 0) tools.changes.emit(job.site, 'periods');
}

/** Compares rows changed since the last comparison and records late rows. Returns the number recorded. */
export async function detectChangesSinceSignOff(
  open: OpenSite,
  cause: SignOffChangeCause,
  signal: AbortSignal,
): Promise<number> {
  const { books } = open;
  const force = findClosedFiguresInForce(books);
  if (force === null) return 0;
  const context = { open, cause, posted_in: force.posted_in };
  let recorded = 0;
  for (const [kind, since] of [
    ['statement', listStatementsChangedSince(open.cache, getSignOffWatermark(books, 'statement'))],
    ['exception', listExceptionsChangedSince(books, getSignOffWatermark(books, 'exception'))],
  ] as const) {
    const isMany = since.ids.length > CHUNK_COMPARISON_THRESHOLD;
    for (const closedFigures of isMany ? force.allClosedFigures : [])
      recorded += await compareClosedRowsOfKind({ ...context, signal }, closedFigures, kind);
    for (let from = 0; !isMany && from < since.ids.length; from += ROWS_PER_BATCH) {
      const ids = since.ids.slice(from, from + ROWS_PER_BATCH);
      await yieldToEventLoop();
      signal.throwIfAborted();
      runInTransaction(books, () => {
        for (const closedFigures of force.allClosedFigures)
          recorded += compareRows(context, closedFigures, kind, ids);
      });
    }
    runInTransaction(books, () => saveSignOffWatermark(books, kind, since.mark));
  }
  return recorded + recordLateRows(context, force.allClosedFigures);
}

/** Marks all rows read so far as compared, so that the next comparison starts after them. */
export function markAllRowsCompared({ cache, books }: OpenSite): void {
  saveSignOffWatermark(books, 'statement', listStatementsChangedSince(cache, 0).mark);
  saveSignOffWatermark(books, 'exception', listExceptionsChangedSince(books, 0).mark);
}

/** Compares the rows with these ids with the closed figures. The ids must be ascending. */
function compareRows(
  context: SignOffChangeContext,
  closedFigures: ClosedFiguresRow,
  kind: 'statement' | 'exception',
  ids: readonly number[],
): number {
  const { open } = context;
  const readRowsAround = (row: number) => {
    const content = findClosedRowChunk(open.books, closedFigures.id, kind, row);
    return content === null ? new Map<number, string>() : parseClosedChunkRows(content);
  };
  let recorded = 0;
  /** Closed rows of the chunk that contains row `first`. Null if the chunk is damaged. */
  let chunk: { first: number; rows: Map<number, string> | null } = { first: 0, rows: new Map() };
  for (const row of ids) {
    const after = readClosedRow(open, kind, toClosedDateRange(closedFigures), row)?.text ?? null;
    if (row >= chunk.first && !chunk.rows?.has(row)) chunk = { first: row, rows: readRowsAround(row) };
    // Another check reports the damaged chunk.
    if (chunk.rows === null) continue;
    const before = chunk.rows.get(row) ?? null;
    // Another step records late exceptions.
    if (kind === 'exception' && before === null && after === null) continue;
    if (recordClosedRowChange(context, closedFigures, { kind, row, before, after })) recorded++;
  }
  return recorded;
}

/** Records rows of closed periods that arrived after the closing. Ends recorded changes of late rows that are gone. */
function recordLateRows(
  context: SignOffChangeContext,
  allClosedFigures: readonly ClosedFiguresRow[],
): number {
  const { open, cause } = context;
  const { books } = open;
  const late = listUnrecordedLateRows(books);
  const resolved = listResolvedLateRows(books);
  if (late.length + resolved.length === 0) return 0;
  return runInTransaction(books, () => {
    for (const id of resolved) endSignOffChange(books, id, cause.at, 'reverted');
    let recorded = resolved.length;
    for (const { closedFigures: id, kind, id: row } of late) {
      const closedFigures = allClosedFigures.find((each) => each.id === id);
      const after = readClosedRow(open, kind, ALL_DAYS, row)?.text ?? null;
      if (closedFigures === undefined || after === null) continue;
      if (recordClosedRowChange(context, closedFigures, { kind, row, before: null, after })) recorded++;
    }
    return recorded;
  });
}
