import { createHash } from 'node:crypto';
import type { ClosedFiguresRowKind } from '../../contract/index.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  type ClosedRowChunk,
  findClosedRowChunk,
  listClosedRowChunks,
  markClosedFiguresCompared,
} from '../store/periods/closed-figures.ts';
import { type ClosedRow, closedRowKinds, readClosedRows } from '../store/periods/closed-rows.ts';
import { endSignOffChange, listRowsChangedSinceSignOff } from '../store/periods/sign-off-change.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import {
  type ClosedFiguresRow,
  findClosedFiguresInForce,
  parseClosedChunkRows,
  recordClosedRowChange,
  type SignedAndCurrentRow,
  type SignOffChangeCause,
  type SignOffChangeContext,
  toClosedDateRange,
} from './record-changes-since-sign-off.ts';

const ROWS_PER_BATCH = 1000;

/**
 * Compares every closed row with the current records. Rows are compared one by one only if the digest of their chunk
 * differs. Returns the number of rows recorded as changed or reverted. `progress` receives the number of closed rows
 * compared so far.
 */
export async function compareRowsOfClosedPeriods(
  open: OpenSite,
  {
    cause,
    signal,
    progress,
  }: { cause: SignOffChangeCause; signal: AbortSignal; progress(done: number): void },
): Promise<number> {
  const force = findClosedFiguresInForce(open.books);
  if (force === null) return 0;
  let recorded = 0;
  let done = 0;
  for (const closedFigures of force.allClosedFigures) {
    for (const kind of closedRowKinds) {
      const context = { open, cause, posted_in: force.posted_in, signal };
      recorded += await compareClosedRowsOfKind(context, closedFigures, kind, (count) => {
        done += count;
        progress(done);
      });
    }
    runInTransaction(open.books, () => markClosedFiguresCompared(open.books, closedFigures.id, cause.at));
  }
  return recorded;
}

/** Compares the closed rows of one kind with the current records. Returns the number of changed or reverted rows. */
export async function compareClosedRowsOfKind(
  context: SignOffChangeContext & { readonly signal: AbortSignal },
  closedFigures: ClosedFiguresRow,
  kind: ClosedFiguresRowKind,
  onRowsCompared: (count: number) => void = () => {},
): Promise<number> {
  const { open, cause, signal } = context;
  const { cache, books } = open;
  const chunks = listClosedRowChunks(books, closedFigures.id, kind);
  const starts = chunks.length === 0 ? [0] : chunks.map(({ first_row }) => first_row);
  // If the cache is incomplete, a missing statement does not prove that the service has removed it.
  const canBeRemoved = kind !== 'statement' || readSyncPartState(cache, 'statements')?.complete === true;
  const changedSinceSignOff = new Set<number>();
  let recorded = 0;
  for (const [index, first] of starts.entries()) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const upTo = (starts[index + 1] ?? Number.MAX_SAFE_INTEGER) - 1;
    const range = { chunk: chunks[index], first, upTo };
    const { changed, unknown } = await compareChunk(open, closedFigures, kind, range);
    onRowsCompared(chunks[index]?.count ?? 0);
    for (const row of [...unknown, ...changed.map((states) => states.row)]) changedSinceSignOff.add(row);
    if (changed.length === 0) continue;
    runInTransaction(books, () => {
      for (const states of changed.filter(({ after }) => after !== null || canBeRemoved))
        if (recordClosedRowChange(context, closedFigures, states)) recorded++;
    });
  }
  // The books store payments as signed. Changes by the service are detected when the payments are updated.
  if (kind === 'payment') return recorded;
  const reverted = listRowsChangedSinceSignOff(books, closedFigures.id, kind).filter(
    ({ row, change }) => !changedSinceSignOff.has(row) && !isLate(kind, change),
  );
  runInTransaction(books, () => {
    for (const { id } of reverted) endSignOffChange(books, id, cause.at, 'reverted');
  });
  return recorded + reverted.length;
}

/** A chunk, and the range of rows up to the next chunk. The chunk is undefined if the kind has no closed rows. */
interface ChunkRange {
  readonly chunk: ClosedRowChunk | undefined;
  readonly first: number;
  readonly upTo: number;
}

/**
 * Returns the rows of a chunk that differ from the current records. The rows of a damaged chunk cannot be compared, so
 * the rows with recorded changes are returned as `unknown`. Another check reports the damage.
 */
async function compareChunk(
  open: OpenSite,
  closedFigures: ClosedFiguresRow,
  kind: ClosedFiguresRowKind,
  { chunk, first, upTo }: ChunkRange,
): Promise<{ changed: readonly SignedAndCurrentRow[]; unknown: readonly number[] }> {
  const { books } = open;
  const current = await readCurrentRows(open, closedFigures, kind, { first, upTo });
  if (computeRowsDigest(current) === (chunk?.sha256 ?? computeRowsDigest([])))
    return { changed: [], unknown: [] };
  const closed =
    chunk === undefined
      ? new Map<number, string>()
      : parseClosedChunkRows(findClosedRowChunk(books, closedFigures.id, kind, first)!);
  if (closed === null) {
    const recorded = listRowsChangedSinceSignOff(books, closedFigures.id, kind).map(({ row }) => row);
    return { changed: [], unknown: recorded.filter((row) => row >= first && row <= upTo) };
  }
  const currentById = new Map(current.map(({ row, text }) => [row, text]));
  const changed = [...new Set([...closed.keys(), ...currentById.keys()])]
    .map((row) => ({ kind, row, before: closed.get(row) ?? null, after: currentById.get(row) ?? null }))
    .filter(({ before, after }) => before !== after);
  return { changed, unknown: [] };
}

/** Returns true for late rows, which another step records. Closed figures never contain them. */
const isLate = (kind: ClosedFiguresRowKind, change: string): boolean =>
  change === 'added' && ['line', 'payment', 'payout', 'exception'].includes(kind);

async function readCurrentRows(
  open: OpenSite,
  closedFigures: ClosedFiguresRow,
  kind: ClosedFiguresRowKind,
  { first, upTo }: { first: number; upTo: number },
): Promise<ClosedRow[]> {
  const rows: ClosedRow[] = [];
  for (let after = first - 1; ; ) {
    const range = { after, upTo, limit: ROWS_PER_BATCH };
    const batch = readClosedRows(open, kind, toClosedDateRange(closedFigures), range);
    rows.push(...batch);
    const last = batch.at(-1);
    if (last === undefined || batch.length < ROWS_PER_BATCH) return rows;
    after = last.row;
    await yieldToEventLoop();
  }
}

function computeRowsDigest(rows: readonly ClosedRow[]): string {
  const digest = createHash('sha256');
  for (const { text } of rows) digest.update(`${text}\n`);
  return digest.digest('hex');
}
