import { setImmediate as breathe } from 'node:timers/promises';
import type { SealedKind } from '../../contract/index.ts';
import type { Changes } from '../jobs/changes.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import type { OpenSite } from '../sites/stores.ts';
import { commit } from '../store/database.ts';
import {
  endDrift,
  lateNoMore,
  saveWatchMark,
  unnotedLate,
  watchMark,
} from '../store/periods/period-drift.ts';
import { exceptionsSince, statementsSince } from '../store/periods/period-marks.ts';
import { type SealSpan, sealedRowOf } from '../store/periods/sealed-rows.ts';
import { compareKind } from './compare.ts';
import { type DriftCause, forceOf, noteStates, type Seal, sealedAround, spanOf } from './drift.ts';

/** Rows looked at together. */
const BATCH = 200;
/** Where so many were read, whole chunks are compared: a cache that was fetched anew, say. */
const MANY = 5000;
/** All days. */
const EVER: SealSpan = { from: null, until: '9999-12-31' };

/** Notes what a job changed of what is signed, as the job’s last part. */
export async function noticeAfter(
  tools: { now: () => number; changes: Pick<Changes, 'tell'> },
  open: OpenSite,
  job: Pick<JobHandle, 'id' | 'site' | 'signal'>,
  what: string,
): Promise<void> {
  const noted = await notice(open, { what, job: job.id, at: tools.now() }, job.signal);
  if (noted > 0) tools.changes.tell(job.site, 'periods');
}

/**
 * Holds what was read from the service or found by checks since the last time against the seals, and notes what came late. Gives how many rows
 * were noted, or are as signed again.
 */
export async function notice(open: OpenSite, cause: DriftCause, signal: AbortSignal): Promise<number> {
  const { books } = open;
  const force = forceOf(books);
  if (force === null) return 0;
  let noted = 0;
  for (const [kind, since] of [
    ['statement', statementsSince(open.cache, watchMark(books, 'statement'))],
    ['exception', exceptionsSince(books, watchMark(books, 'exception'))],
  ] as const) {
    const isMany = since.ids.length > MANY;
    for (const seal of isMany ? force.seals : []) {
      noted += await compareKind(open, seal, kind, { cause, signal }, force.lands_in);
    }
    for (let from = 0; !isMany && from < since.ids.length; from += BATCH) {
      const ids = since.ids.slice(from, from + BATCH);
      await breathe();
      signal.throwIfAborted();
      commit(books, () => {
        for (const seal of force.seals) noted += look(open, seal, kind, ids, cause, force.lands_in);
      });
    }
    commit(books, () => saveWatchMark(books, kind, since.mark));
  }
  return noted + noticeLate(open, cause);
}

/** All that was read so far is as it is sealed now, or was noticed: the next time begins behind it. */
export function noticedUpToNow({ cache, books }: OpenSite): void {
  saveWatchMark(books, 'statement', statementsSince(cache, 0).mark);
  saveWatchMark(books, 'exception', exceptionsSince(books, 0).mark);
}

/** Holds rows of these ids, ascending, against a seal. */
function look(
  open: OpenSite,
  seal: Seal,
  kind: 'statement' | 'exception',
  ids: readonly number[],
  cause: DriftCause,
  lands_in: string,
): number {
  const { books, file } = open;
  let noted = 0;
  let around: { first: number; rows: Map<number, string> | null } = { first: 0, rows: new Map() };
  for (const row of ids) {
    const after = sealedRowOf(open, kind, spanOf(seal), row)?.text ?? null;
    if (row >= around.first && !around.rows?.has(row))
      around = { first: row, rows: sealedAround(books, seal.id, kind, row) };
    // It is damaged, which is said by itself.
    if (around.rows === null) continue;
    const before = around.rows.get(row) ?? null;
    // An exception that came late stands for itself; a statement that did may be gone again.
    if (kind === 'exception' && before === null && after === null) continue;
    if (noteStates(books, seal, { kind, row, before, after }, cause, { lands_in, currency: file.currency }))
      noted++;
  }
  return noted;
}

/** Notes rows that are dated in closed periods and came after they were closed; ends what is not there any more. */
function noticeLate(open: OpenSite, cause: DriftCause): number {
  const { books, file } = open;
  const force = forceOf(books);
  if (force === null) return 0;
  const late = unnotedLate(books);
  const gone = lateNoMore(books);
  if (late.length + gone.length === 0) return 0;
  return commit(books, () => {
    for (const id of gone) endDrift(books, id, cause.at, 'back');
    let noted = gone.length;
    for (const { seal: id, kind, id: row } of late) {
      const seal = force.seals.find((each) => each.id === id);
      const after = sealedRowOf(open, kind satisfies SealedKind, EVER, row)?.text ?? null;
      if (seal === undefined || after === null) continue;
      const where = { lands_in: force.lands_in, currency: file.currency };
      if (noteStates(books, seal, { kind, row, before: null, after }, cause, where)) noted++;
    }
    return noted;
  });
}
