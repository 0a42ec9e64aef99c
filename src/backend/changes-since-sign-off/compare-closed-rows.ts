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
  closedFiguresInForce,
  closedRange,
  recordRowStates,
  rowsOfChunk,
  type SignOffChangeCause,
} from './record-changes.ts';

export interface ClosedRowComparison {
  cause: SignOffChangeCause;
  signal: AbortSignal;
  /** Receives the number of closed rows compared so far. */
  progress(done: number): void;
}

/** Number of rows read per batch. */
const STRETCH = 1000;

/**
 * Compares every closed row with the current records, chunk by chunk. Rows are inspected only if the digest of their
 * chunk differs. Returns the number of rows that were recorded as changed or are as signed again.
 */
export async function compareAllClosedRows(open: OpenSite, comparison: ClosedRowComparison): Promise<number> {
  const force = closedFiguresInForce(open.books);
  if (force === null) return 0;
  let noted = 0;
  let done = 0;
  for (const closedFigures of force.allClosedFigures) {
    for (const kind of closedRowKinds) {
      noted += await compareClosedKind(open, closedFigures, kind, comparison, force.posted_in, (count) => {
        done += count;
        comparison.progress(done);
      });
    }
    commit(open.books, () => markClosedFiguresCompared(open.books, closedFigures.id, comparison.cause.at));
  }
  return noted;
}

/**
 * Compares the rows of a kind with the closed figures. Returns the number of rows that were recorded as changed or are as
 * signed again.
 */
export async function compareClosedKind(
  open: OpenSite,
  closedFigures: ClosedFiguresRow,
  kind: ClosedRowKind,
  { cause, signal }: Pick<ClosedRowComparison, 'cause' | 'signal'>,
  posted_in: string,
  counted: (count: number) => void = () => {},
): Promise<number> {
  const { cache, books, file } = open;
  const chunks = chunksOf(books, closedFigures.id, kind);
  const starts = chunks.length === 0 ? [0] : chunks.map(({ first_row }) => first_row);
  // An incompletely synced cache does not prove that a statement is gone.
  const mayBeGone = kind !== 'statement' || partState(cache, 'statements')?.complete === true;
  const changedSinceSignOff = new Set<number>();
  let noted = 0;
  for (const [at, first] of starts.entries()) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const upTo = (starts[at + 1] ?? Number.MAX_SAFE_INTEGER) - 1;
    const now = await rowsBetween(open, closedFigures, kind, first - 1, upTo);
    const chunk = chunks[at];
    counted(chunk?.count ?? 0);
    if (digestOf(now) === (chunk?.sha256 ?? digestOf([]))) continue;
    const before =
      chunk === undefined
        ? new Map<number, string>()
        : rowsOfChunk(chunkAround(books, closedFigures.id, kind, first)!);
    // The closed rows of a damaged chunk are unknown, so no row can be called changed. The damage is reported separately.
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
        if (states.after === null && !mayBeGone) continue;
        if (recordRowStates(books, closedFigures, states, cause, { posted_in, currency: file.currency }))
          noted++;
      }
    });
  }
  // The books store payments as signed. Changes reported by the service are detected when the payments are updated.
  if (kind === 'payment') return noted;
  const back = rowsChangedSinceSignOff(books, closedFigures.id, kind).filter(
    ({ row, change }) => !changedSinceSignOff.has(row) && !isLate(kind, change),
  );
  commit(books, () => {
    for (const { id } of back) endSignOffChange(books, id, cause.at, 'reverted');
  });
  return noted + back.length;
}

/** Late rows are reported separately: they are neither among the closed rows nor among those of the date range. */
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
  for (let behind = after; ; ) {
    const some = closedRows(open, kind, closedRange(closedFigures), { after: behind, upTo, limit: STRETCH });
    rows.push(...some);
    const last = some.at(-1);
    if (last === undefined || some.length < STRETCH) return rows;
    behind = last.row;
    await yieldToEventLoop();
  }
}

function digestOf(rows: readonly ClosedRow[]): string {
  const digest = createHash('sha256');
  for (const { text } of rows) digest.update(`${text}\n`);
  return digest.digest('hex');
}
