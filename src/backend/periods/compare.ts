import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { SealedKind } from '../../contract/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { commit } from '../store/database.ts';
import { driftingRows, endDrift } from '../store/periods/period-drift.ts';
import { chunkAround, chunksOf, sealCompared } from '../store/periods/period-seal.ts';
import { type SealedRow, sealedKinds, sealedRows } from '../store/periods/sealed-rows.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { type DriftCause, forceOf, noteStates, rowsOfChunk, type Seal, spanOf } from './drift.ts';

export interface Comparison {
  cause: DriftCause;
  signal: AbortSignal;
  /** Hears how many sealed rows were held against what is. */
  progress(done: number): void;
}

/** Rows read together. */
const STRETCH = 1000;

/**
 * Holds every sealed row against what is there now, a chunk at a time: only where the digest of a chunk is another its rows are looked at. Gives
 * how many rows were noted or are as signed again.
 */
export async function compareAll(open: OpenSite, comparison: Comparison): Promise<number> {
  const force = forceOf(open.books);
  if (force === null) return 0;
  let noted = 0;
  let done = 0;
  for (const seal of force.seals) {
    for (const kind of sealedKinds) {
      noted += await compareKind(open, seal, kind, comparison, force.lands_in, (count) => {
        done += count;
        comparison.progress(done);
      });
    }
    commit(open.books, () => sealCompared(open.books, seal.id, comparison.cause.at));
  }
  return noted;
}

/** Holds the rows of a kind against a seal; gives how many were noted or are as signed again. */
export async function compareKind(
  open: OpenSite,
  seal: Seal,
  kind: SealedKind,
  { cause, signal }: Pick<Comparison, 'cause' | 'signal'>,
  lands_in: string,
  counted: (count: number) => void = () => {},
): Promise<number> {
  const { cache, books, file } = open;
  const chunks = chunksOf(books, seal.id, kind);
  const starts = chunks.length === 0 ? [0] : chunks.map(({ first_row }) => first_row);
  // A cache that is fetched anew does not show that a statement is gone.
  const mayBeGone = kind !== 'statement' || partState(cache, 'statements')?.complete === true;
  const drifting = new Set<number>();
  let noted = 0;
  for (const [at, first] of starts.entries()) {
    await breathe();
    signal.throwIfAborted();
    const upTo = (starts[at + 1] ?? Number.MAX_SAFE_INTEGER) - 1;
    const now = await rowsBetween(open, seal, kind, first - 1, upTo);
    const chunk = chunks[at];
    counted(chunk?.count ?? 0);
    if (digestOf(now) === (chunk?.sha256 ?? digestOf([]))) continue;
    const before =
      chunk === undefined
        ? new Map<number, string>()
        : rowsOfChunk(chunkAround(books, seal.id, kind, first)!);
    // What was sealed there is not known any more: no row of it can be told to be otherwise. That it is damaged is said by itself.
    if (before === null) {
      for (const { row } of driftingRows(books, seal.id, kind))
        if (row >= first && row <= upTo) drifting.add(row);
      continue;
    }
    const after = new Map(now.map(({ row, text }) => [row, text]));
    const rows = [...new Set([...before.keys(), ...after.keys()])].filter(
      (row) => before.get(row) !== after.get(row),
    );
    commit(books, () => {
      for (const row of rows) {
        drifting.add(row);
        const states = { kind, row, before: before.get(row) ?? null, after: after.get(row) ?? null };
        if (states.after === null && !mayBeGone) continue;
        if (noteStates(books, seal, states, cause, { lands_in, currency: file.currency })) noted++;
      }
    });
  }
  // Of payments the books keep what was signed; that the service says otherwise is noticed when they are renewed.
  if (kind === 'payment') return noted;
  const back = driftingRows(books, seal.id, kind).filter(
    ({ row, what }) => !drifting.has(row) && !isLate(kind, what),
  );
  commit(books, () => {
    for (const { id } of back) endDrift(books, id, cause.at, 'back');
  });
  return noted + back.length;
}

/** Rows that came late stand for themselves: they are not among the sealed ones, nor among those of the span. */
const isLate = (kind: SealedKind, what: string): boolean =>
  what === 'added' && (kind === 'line' || kind === 'payment' || kind === 'payout' || kind === 'exception');

async function rowsBetween(
  open: OpenSite,
  seal: Seal,
  kind: SealedKind,
  after: number,
  upTo: number,
): Promise<SealedRow[]> {
  const rows: SealedRow[] = [];
  for (let behind = after; ; ) {
    const some = sealedRows(open, kind, spanOf(seal), { after: behind, upTo, limit: STRETCH });
    rows.push(...some);
    const last = some.at(-1);
    if (last === undefined || some.length < STRETCH) return rows;
    behind = last.row;
    await breathe();
  }
}

function digestOf(rows: readonly SealedRow[]): string {
  const digest = createHash('sha256');
  for (const { text } of rows) digest.update(`${text}\n`);
  return digest.digest('hex');
}
