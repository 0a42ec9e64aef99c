import type { ReadProblem } from '../../../billing/index.ts';
import type { SyncPart } from '../../../contract/index.ts';
import type { WritableDb } from '../../store/sqlite/connection.ts';
import { keepProblem, solveProblem } from '../../store/sync/problem.ts';
import { problemPlaces } from '../../store/sync/problem-places.ts';

/**
 * Records which data of a sync part could not be read, so that the sync can continue. Deletes the record once the data is
 * read.
 */
export interface SyncProblems {
  /** Records a problem under its location. Must be called inside `commit` if rows are stored with it. */
  record(place: string, reason: string, raw: string | null): void;
  /** Deletes the problems of a record that has been read, except those at the given locations. */
  clear(thing: string, but?: ReadonlySet<string>): void;
  /** Deletes the problems of the rows with these ids, except those at the given locations. */
  clearRows(list: string, ids: readonly number[], but: ReadonlySet<string>): void;
  /** Deletes all problems whose location has this prefix. */
  clearByPrefix(beginning: string): void;
}

/**
 * Returns the record that a problem's location belongs to: `webhooks[id=17]` for `webhooks[id=17].created_at`, or the
 * unchanged location if it names no row.
 */
const recordOf = (place: string) => /^\w+\[id=\d+\]/.exec(place)?.[0] ?? place;

/**
 * Opens the problems of a sync part for one run. The id of the job is stored with each new problem. A problem is deleted
 * only when the run reports that its record was read.
 */
export function openSyncProblems(
  cache: WritableDb,
  part: SyncPart,
  job: string,
  now: () => number,
): SyncProblems {
  const known = new Map<string, Set<string>>();
  const note = (place: string) => {
    const thing = recordOf(place);
    known.set(thing, (known.get(thing) ?? new Set()).add(place));
  };
  for (const place of problemPlaces(cache, part)) note(place);
  function solve(thing: string, but?: ReadonlySet<string>): void {
    for (const place of known.get(thing) ?? []) {
      if (but?.has(place)) continue;
      known.get(thing)?.delete(place);
      solveProblem(cache, part, place);
    }
  }
  return {
    record(place, reason, raw) {
      note(place);
      keepProblem(cache, {
        part,
        location: place,
        reason,
        raw: raw === '' ? null : raw,
        seen_at: now(),
        job,
      });
    },
    clear: solve,
    clearRows(list, ids, but) {
      if (known.size === 0) return;
      for (const id of ids) solve(`${list}[id=${id}]`, but);
    },
    clearByPrefix(beginning) {
      for (const [thing, places] of known) {
        if (!thing.startsWith(beginning)) continue;
        for (const place of places) solveProblem(cache, part, place);
        known.delete(thing);
      }
    },
  };
}

/** A problem in a list's answer, located by the id of its row if the id can be read. */
export interface LocatedProblem extends ReadProblem {
  /**
   * Location of the row, for example `webhooks[id=17]`. The problem's own location may add a field:
   * `webhooks[id=17].created_at`.
   */
  rowLocation: string;
  fieldLocation: string;
}

/**
 * Locates each problem by the id of its row. `ids` are the ids of the rows that were read, in order. Problems of rows
 * without an id are located by the answer, `elsewhere`.
 */
export function locateProblems(
  list: string,
  problems: readonly ReadProblem[],
  ids: readonly number[],
  elsewhere: string,
): LocatedProblem[] {
  const refused = new Set(
    problems.flatMap((each) => (each.outcome === 'rejected' ? (rowIndex(list, each.path) ?? []) : [])),
  );
  const idAt = (index: number): number | undefined => {
    let before = 0;
    for (let at = 0; at < index; at++) if (refused.has(at)) before++;
    return ids[index - before];
  };
  return problems.map((each) => {
    const index = rowIndex(list, each.path, true);
    const id = index === null ? null : refused.has(index) ? idInRaw(each.raw) : (idAt(index) ?? null);
    const field = each.path.replace(/^\w+(\[\d+\])?/, '');
    const rowLocation = id === null ? `${elsewhere}, ${each.path || 'answer'}` : `${list}[id=${id}]`;
    return { ...each, rowLocation, fieldLocation: id === null ? rowLocation : rowLocation + field };
  });
}

/** Returns how many rows of a list were rejected. Lists inside its rows do not count. */
export function countRejectedRows(list: string, problems: readonly ReadProblem[]): number {
  return problems.filter((each) => each.outcome === 'rejected' && rowIndex(list, each.path) !== null).length;
}

/**
 * Returns the row index from a path like `webhooks[17]` or `webhooks[17].id`. With `deep`, also accepts paths with
 * further indexes, for example `statements[3].transactions[1]`.
 */
function rowIndex(list: string, place: string, deep = false): number | null {
  const found = /^(\w+)\[(\d+)\](.*)$/.exec(place);
  if (found === null || found[1] !== list) return null;
  return deep || !found[3]?.includes('[') ? Number(found[2]) : null;
}

function idInRaw(raw: string): number | null {
  const id = /"id"\s*:\s*"?(\d{1,15})"?/.exec(raw)?.[1];
  return id === undefined ? null : Number(id);
}
