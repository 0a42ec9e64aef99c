import type { ResponseReadProblem } from '../../../billing/index.ts';
import type { SyncPart } from '../../../contract/index.ts';
import type { WritableDb } from '../../store/sqlite/connection.ts';
import {
  listSyncProblemLocations,
  removeSyncProblem,
  saveSyncProblem,
} from '../../store/sync/sync-problem.ts';

/** Returns the record in a problem location: `webhooks[id=17]` for `webhooks[id=17].created_at`. */
const findRecordLocation = (location: string) => /^\w+\[id=\d+\]/.exec(location)?.[0] ?? location;

/** Sync part and job for which problems are recorded. */
export interface SyncProblemSource {
  readonly part: SyncPart;
  /** Id of the sync job, stored with each new problem. */
  readonly job: string;
  readonly now: () => number;
}

/** Records which data of a sync part could not be read. A problem is deleted only after its record has been read. */
export class SyncProblemRecorder {
  readonly #cache: WritableDb;
  readonly #source: SyncProblemSource;
  /** Locations of known problems, by the location of their record. */
  readonly #known = new Map<string, Set<string>>();

  constructor(cache: WritableDb, source: SyncProblemSource) {
    this.#cache = cache;
    this.#source = source;
    for (const location of listSyncProblemLocations(cache, source.part)) this.#remember(location);
  }

  /** Records a problem under its location. If rows are stored with it, must be called in the same transaction. */
  record(location: string, reason: string, raw: string | null): void {
    const { part, job, now } = this.#source;
    this.#remember(location);
    saveSyncProblem(this.#cache, {
      part,
      location,
      reason,
      raw: raw === '' ? null : raw,
      seen_at: now(),
      job,
    });
  }

  /** Deletes the problems of a record that was read, except at the locations in `except`. */
  clear(record: string, except?: ReadonlySet<string>): void {
    const locations = this.#known.get(record);
    for (const location of locations ?? []) {
      if (except?.has(location)) continue;
      locations?.delete(location);
      removeSyncProblem(this.#cache, this.#source.part, location);
    }
  }

  /** Deletes the problems of the rows with these ids, except at the locations in `except`. */
  clearRows(list: string, ids: readonly number[], except: ReadonlySet<string>): void {
    if (this.#known.size === 0) return;
    for (const id of ids) this.clear(`${list}[id=${id}]`, except);
  }

  /** Deletes all problems of records whose location has this prefix. */
  clearByPrefix(prefix: string): void {
    for (const record of [...this.#known.keys()].filter((each) => each.startsWith(prefix))) {
      this.clear(record);
      this.#known.delete(record);
    }
  }

  #remember(location: string): void {
    const record = findRecordLocation(location);
    this.#known.set(record, (this.#known.get(record) ?? new Set()).add(location));
  }
}

/** A problem in the response to a list request, located by its row's id if the id is readable. */
export interface LocatedReadProblem extends ResponseReadProblem {
  /** Location of the field, for example `webhooks[id=17].created_at`, or of the row: `webhooks[id=17]`. */
  fieldLocation: string;
}

/** Locates each problem by its row's id, or by its path. `ids` lists the ids of the readable rows in order. */
export function locateReadProblems(
  list: string,
  problems: readonly ResponseReadProblem[],
  ids: readonly number[],
  answerLocation: string,
): LocatedReadProblem[] {
  const refused = new Set(
    problems.flatMap((each) => (each.outcome === 'rejected' ? (findRowIndex(list, each.path) ?? []) : [])),
  );
  const idAt = (index: number): number | undefined => {
    const refusedBefore = [...refused].filter((each) => each < index).length;
    return ids[index - refusedBefore];
  };
  return problems.map((each) => {
    const index = findRowIndex(list, each.path, true);
    const id = index === null ? null : refused.has(index) ? findIdInRaw(each.raw) : (idAt(index) ?? null);
    const field = each.path.replace(/^\w+(\[\d+\])?/, '');
    const fieldLocation =
      id === null ? `${answerLocation}, ${each.path || 'answer'}` : `${list}[id=${id}]${field}`;
    return { ...each, fieldLocation };
  });
}

/** Returns the number of rejected rows of a list. Rejected items inside a row's own lists do not count. */
export function countRejectedListRows(list: string, problems: readonly ResponseReadProblem[]): number {
  return problems.filter((each) => each.outcome === 'rejected' && findRowIndex(list, each.path) !== null)
    .length;
}

/**
 * Returns the row index in a path, for example 17 in `webhooks[17].id`. `isDeep` accepts nested lists:
 * `statements[3].transactions[1]`.
 */
function findRowIndex(list: string, path: string, isDeep = false): number | null {
  const [, name, index, field] = /^(\w+)\[(\d+)\](.*)$/.exec(path) ?? [];
  return name === list && (isDeep || !field?.includes('[')) ? Number(index) : null;
}

function findIdInRaw(raw: string): number | null {
  const id = /"id"\s*:\s*"?(\d{1,15})"?/.exec(raw)?.[1];
  return id === undefined ? null : Number(id);
}
