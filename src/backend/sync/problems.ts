import type { Problem } from '../../billing/index.ts';
import type { SyncPart } from '../../contract/index.ts';
import type { WritableDb } from '../store/database.ts';
import { keepProblem, solveProblem } from '../store/sync/problem.ts';
import { problemPlaces } from '../store/sync/problem-places.ts';

/** What of a part could not be read; kept so that the rest can go on, and taken away when it could be after all. */
export interface Problems {
  /** Keeps a problem under its place. To be called inside `commit` where rows go with it. */
  keep(place: string, reason: string, raw: string | null): void;
  /** Takes away the problems of a row or of another thing that was read, but for those of these places. */
  solve(thing: string, but?: ReadonlySet<string>): void;
  /** The same of the rows of a list with these ids. */
  solveRows(list: string, ids: readonly number[], but: ReadonlySet<string>): void;
  /** Takes away all whose place begins so. */
  solveAll(beginning: string): void;
}

/** `webhooks[id=17].created_at` is about `webhooks[id=17]`; anything else about itself. */
const thingOf = (place: string) => /^\w+\[id=\d+\]/.exec(place)?.[0] ?? place;

/** What a run finds wrong with a part; `job` is noted with each. Nothing is solved by itself: the run says what it read well. */
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
      keepProblem(cache, { part, place, reason, raw: raw === '' ? null : raw, seen_at: now(), job });
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

/** The problems of a list's answer: each with the id of its row in its place, where it has one that can be read. */
export interface ListProblem extends Problem {
  /** The row's place, such as `webhooks[id=17]`; with the field, such as `webhooks[id=17].created_at`, it is the problem's. */
  rowPlace: string;
  fullPlace: string;
}

/**
 * Says of each problem which record it is about. `ids` are those of the rows that were read, in order; `elsewhere` is where
 * the answer was, for rows without an id.
 */
export function located(
  list: string,
  problems: readonly Problem[],
  ids: readonly number[],
  elsewhere: string,
): ListProblem[] {
  const refused = new Set(
    problems.flatMap((each) => (each.row === 'refused' ? (rowIndex(list, each.place) ?? []) : [])),
  );
  const idAt = (index: number): number | undefined => {
    let before = 0;
    for (let at = 0; at < index; at++) if (refused.has(at)) before++;
    return ids[index - before];
  };
  return problems.map((each) => {
    const index = rowIndex(list, each.place, true);
    const id = index === null ? null : refused.has(index) ? idInRaw(each.raw) : (idAt(index) ?? null);
    const field = each.place.replace(/^\w+(\[\d+\])?/, '');
    const rowPlace = id === null ? `${elsewhere}, ${each.place || 'answer'}` : `${list}[id=${id}]`;
    return { ...each, rowPlace, fullPlace: id === null ? rowPlace : rowPlace + field };
  });
}

/** How many rows of the list itself, not of lists in its rows, were refused. */
export function refusedRows(list: string, problems: readonly Problem[]): number {
  return problems.filter((each) => each.row === 'refused' && rowIndex(list, each.place) !== null).length;
}

/** The index in `webhooks[17]` or `webhooks[17].id`; with `deep`, also of what lies further down in the row. */
function rowIndex(list: string, place: string, deep = false): number | null {
  const found = /^(\w+)\[(\d+)\](.*)$/.exec(place);
  if (found === null || found[1] !== list) return null;
  return deep || !found[3]?.includes('[') ? Number(found[2]) : null;
}

function idInRaw(raw: string): number | null {
  const id = /"id"\s*:\s*"?(\d{1,15})"?/.exec(raw)?.[1];
  return id === undefined ? null : Number(id);
}
