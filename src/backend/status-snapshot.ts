/**
 * Reads the status of a site directly from its databases, for commands that must answer immediately. Loads only SQLite,
 * and does not create, repair or lock anything.
 */
import { join } from 'node:path';
import type { Job, Outputs, SyncProblem, SyncRun } from '../contract/index.ts';
import { getActualSyncState, isSiteLocked } from './sites/actual-job-state.ts';
import { findOtherProcesses } from './sites/other-processes.ts';
import { type SiteFile, siteFolder } from './sites/site-file.ts';
import { openReady } from './store/database/open-ready.ts';
import { jobOf } from './store/jobs/job-list.ts';
import { type ReadableDb, snapshot } from './store/sqlite/connection.ts';
import { listProblems, listRuns, syncStatus } from './store/sync/sync-status.ts';

export { readSites, type SiteFile } from './sites/site-file.ts';

/** The stored data of a site and its freshness, in the format of `sync.status`, `sync.runs` and `sync.problems`. */
export interface StatusSnapshot {
  readonly status: Outputs['sync']['status'];
  readonly last_run: SyncRun | null;
  /** The running sync. */
  readonly job: Job | null;
  /** The latest problems, up to the requested number. */
  readonly problems: readonly SyncProblem[];
}

/**
 * Returns null if the snapshot cannot be read directly. The caller then asks the backend, which answers or reports why
 * not.
 */
export function readStatusSnapshot(
  home: string,
  { site }: SiteFile,
  problems: number,
): StatusSnapshot | null {
  const folder = siteFolder(home, site);
  const openDatabases: ReadableDb[] = [];
  const open = (kind: 'cache' | 'books') => {
    const db = openReady(join(folder, `${kind}.db`), kind);
    if (db !== null) openDatabases.push(db);
    return db;
  };
  try {
    const [cache, books] = [open('cache'), open('books')];
    if (cache === null || books === null) return null;
    return snapshot(cache, () => ({
      ...snapshot(books, () => {
        const status = {
          ...syncStatus(cache, books, site, () => isSiteLocked(folder)),
          ...findOtherProcesses(folder),
        };
        return { status, job: status.running === null ? null : jobOf(books, site, status.running) };
      }),
      last_run: listRuns(cache, 1).map((run) => getActualSyncState(run, folder))[0] ?? null,
      problems: listProblems(cache, { limit: problems }).rows,
    }));
  } catch {
    return null;
  } finally {
    for (const db of openDatabases) db.close();
  }
}
