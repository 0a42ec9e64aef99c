import type { ReadProblem } from '../../../billing/index.ts';
import type { SyncPart } from '../../../contract/index.ts';
import type { WritableDb } from '../../store/sqlite/connection.ts';
import { keepProblem, solveProblem } from '../../store/sync/problem.ts';
import { problemPlaces } from '../../store/sync/problem-places.ts';

/**
 * Records what could not be read of a part, so that the rest can continue, and deletes the record when it is read after
 * all.
 */
export interface Problems {
  /** Records a problem under its location. Must be called inside `commit` if rows are stored with it. */
  keep(place: string, reason: string, raw: string | null): void;
  /** Deletes the problems of a record that was read, except those at the given locations. */
  solve(thing: string, but?: ReadonlySet<string>): void;
  /** Does the same for the rows of a list with these ids. */
  solveRows(list: string, ids: readonly number[], but: ReadonlySet<string>): void;
  /** Deletes all problems whose location has this prefix. */
  solveAll(beginning: string): void;
}

/**
 * Returns the record that a location belongs to: `webhooks[id=17]` for `webhooks[id=17].created_at`, else the location
 * itself.
 */
const thingOf = (place: string) => /^\w+\[id=\d+\]/.exec(place)?.[0] ?? place;

/**
 * Opens the problems of a part for one run. `job` is stored with each. Nothing is deleted implicitly: the run reports
 * what it read.
 */
export function openProblems(cache: WritableDb, part: SyncPart, job: string, now: () => number): Problems {
  const known = new Map<string, Set<string>>();
  const note = (place: string) => {
    const thing = thingOf(place);
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
    keep(place, reason, raw) {
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
    solve,
    solveRows(list, ids, but) {
      if (known.size === 0) return;
      for (const id of ids) solve(`${list}[id=${id}]`, but);
    },
    solveAll(beginning) {
      for (const [thing, places] of known) {
        if (!thing.startsWith(beginning)) continue;
        for (const place of places) solveProblem(cache, part, place);
        known.delete(thing);
      }
    },
  };
}

/** A problem in a list's answer, located by the id of its row if the id can be read. */
export interface ListProblem extends ReadProblem {
  /**
   * Location of the row, for example `webhooks[id=17]`. The problem's own location may add a field:
   * `webhooks[id=17].created_at`.
   */
  rowPlace: string;
  fullPlace: string;
}

/**
 * Locates each problem by its record. `ids` are the ids of the rows that were read, in order. `elsewhere` is the location
 * of the answer, for rows without an id.
 */
export function located(
  list: string,
  problems: readonly ReadProblem[],
  ids: readonly number[],
  elsewhere: string,
): ListProblem[] {
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
    const rowPlace = id === null ? `${elsewhere}, ${each.path || 'answer'}` : `${list}[id=${id}]`;
    return { ...each, rowPlace, fullPlace: id === null ? rowPlace : rowPlace + field };
  });
}

/** Returns how many rows of the list itself were refused, not counting lists inside its rows. */
export function refusedRows(list: string, problems: readonly ReadProblem[]): number {
  return problems.filter((each) => each.outcome === 'rejected' && rowIndex(list, each.path) !== null).length;
}

/** Returns the index in `webhooks[17]` or `webhooks[17].id`. With `deep`, also for locations deeper in the row. */
function rowIndex(list: string, place: string, deep = false): number | null {
  const found = /^(\w+)\[(\d+)\](.*)$/.exec(place);
  if (found === null || found[1] !== list) return null;
  return deep || !found[3]?.includes('[') ? Number(found[2]) : null;
}

function idInRaw(raw: string): number | null {
  const id = /"id"\s*:\s*"?(\d{1,15})"?/.exec(raw)?.[1];
  return id === undefined ? null : Number(id);
}
