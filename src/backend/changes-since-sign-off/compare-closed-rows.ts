import { createHash } from 'node:crypto';
import type { ClosedRowKind } from '../../contract/index.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { chunkAround, chunksOf, markClosedFiguresCompared } from '../store/periods/closed-figures.ts';
import { type ClosedRow, closedRowKinds, closedRows } from '../store/periods/closed-rows.ts';
import { endSignOffChange, rowsChangedSinceSignOff } from '../store/periods/sign-off-change.ts';
import { commit } from '../store/sqlite/connection.ts';
import { partState } from '../store/sync/sync-unit.ts';
import {
  type ClosedFiguresRow,
  closedDateRange,
  closedFiguresInForce,
  parseChunkRows,
  recordRowChange,
  type SignOffChangeCause,
} from './record-changes.ts';

export interface ClosedRowComparison {
  cause: SignOffChangeCause;
  signal: AbortSignal;
  /** Receives the number of closed rows compared so far. */
  progress(done: number): void;
}

/** Number of rows read per batch. */
const ROWS_PER_BATCH = 1000;

/**
 * Compares every closed row with the current records. Rows are compared one by one only if the digest of their chunk
 * differs. Returns the number of rows recorded as changed or reverted.
 */
export async function compareAllClosedRows(open: OpenSite, comparison: ClosedRowComparison): Promise<number> {
  const force = closedFiguresInForce(open.books);
  if (force === null) return 0;
  let recorded = 0;
  let done = 0;
  for (const closedFigures of force.allClosedFigures) {
    for (const kind of closedRowKinds) {
      recorded += await compareClosedKind(open, closedFigures, kind, comparison, force.posted_in, (count) => {
        done += count;
        comparison.progress(done);
      });
    }
    commit(open.books, () => markClosedFiguresCompared(open.books, closedFigures.id, comparison.cause.at));
  }
  return recorded;
}

/**
 * Compares the closed rows of one kind with the current records. Returns the number of rows recorded as changed or
 * reverted.
 */
export async function compareClosedKind(
  open: OpenSite,
  closedFigures: ClosedFiguresRow,
  kind: ClosedRowKind,
  { cause, signal }: Pick<ClosedRowComparison, 'cause' | 'signal'>,
  posted_in: string,
  onRowsCompared: (count: number) => void = () => {},
): Promise<number> {
  const { cache, books, file } = open;
  const chunks = chunksOf(books, closedFigures.id, kind);
  const starts = chunks.length === 0 ? [0] : chunks.map(({ first_row }) => first_row);
  // An incomplete cache does not prove that the service has removed a statement.
  const canBeRemoved = kind !== 'statement' || partState(cache, 'statements')?.complete === true;
  const changedSinceSignOff = new Set<number>();
  let recorded = 0;
  for (const [at, first] of starts.entries()) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const upTo = (starts[at + 1] ?? Number.MAX_SAFE_INTEGER) - 1;
    const now = await rowsBetween(open, closedFigures, kind, first - 1, upTo);
    const chunk = chunks[at];
    onRowsCompared(chunk?.count ?? 0);
    if (digestOf(now) === (chunk?.sha256 ?? digestOf([]))) continue;
    const before =
      chunk === undefined
        ? new Map<number, string>()
        : parseChunkRows(chunkAround(books, closedFigures.id, kind, first)!);
    // The closed rows of a damaged chunk are unknown, so they cannot be compared. The damage is reported separately.
    if (before === null) {
      for (const { row } of rowsChangedSinceSignOff(books, closedFigures.id, kind))
        if (row >= first && row <= upTo) changedSinceSignOff.add(row);
      continue;
    }
    const after = new Map(now.map(({ row, text }) => [row, text]));
    const rows = [...new Set([...before.keys(), ...after.keys()])].filter(
      (row) => before.get(row) !== after.get(row),
    );
    commit(books, () => {
      for (const row of rows) {
        changedSinceSignOff.add(row);
        const states = { kind, row, before: before.get(row) ?? null, after: after.get(row) ?? null };
        if (states.after === null && !canBeRemoved) continue;
        if (recordRowChange(books, closedFigures, states, cause, { posted_in, currency: file.currency }))
          recorded++;
      }
    });
  }
  // The books store payments as signed. Changes by the service are detected when the payments are updated.
  if (kind === 'payment') return recorded;
  const reverted = rowsChangedSinceSignOff(books, closedFigures.id, kind).filter(
    ({ row, change }) => !changedSinceSignOff.has(row) && !isLate(kind, change),
  );
  commit(books, () => {
    for (const { id } of reverted) endSignOffChange(books, id, cause.at, 'reverted');
  });
  return recorded + reverted.length;
}

/**
 * Returns true for a late row, which is neither among the closed rows nor in the compared range. Late rows are reported
 * separately.
 */
const isLate = (kind: ClosedRowKind, change: string): boolean =>
  change === 'added' && (kind === 'line' || kind === 'payment' || kind === 'payout' || kind === 'exception');

async function rowsBetween(
  open: OpenSite,
  closedFigures: ClosedFiguresRow,
  kind: ClosedRowKind,
  after: number,
  upTo: number,
): Promise<ClosedRow[]> {
  const rows: ClosedRow[] = [];
  for (let lastRow = after; ; ) {
    const some = closedRows(open, kind, closedDateRange(closedFigures), {
      after: lastRow,
      upTo,
      limit: ROWS_PER_BATCH,
    });
    rows.push(...some);
    const last = some.at(-1);
    if (last === undefined || some.length < ROWS_PER_BATCH) return rows;
    lastRow = last.row;
    await yieldToEventLoop();
  }
}

function digestOf(rows: readonly ClosedRow[]): string {
  const digest = createHash('sha256');
  for (const { text } of rows) digest.update(`${text}\n`);
  return digest.digest('hex');
}
