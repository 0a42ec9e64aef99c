/**
 * Reads the status of a site directly from its databases, for commands that must respond immediately. Loads only
 * SQLite, and creates, repairs or locks nothing.
 */
import { join } from 'node:path';
import type { ContractOutputs, Job, SyncProblem, SyncRun } from '../contract/index.ts';
import { getActualWorkState, isSiteLocked } from './sites/actual-job-state.ts';
import { findOtherProcesses } from './sites/other-processes.ts';
import { getSiteFolder, type SiteFile } from './sites/site-file.ts';
import { openStoreIfCurrent } from './store/database/open-current-store.ts';
import { getJob } from './store/jobs/job-list.ts';
import { type ReadableDb, withReadSnapshot } from './store/sqlite/connection.ts';
import { listSyncProblems, listSyncRuns, readSyncStatus } from './store/sync/sync-status.ts';

export { findFoldersWithoutSiteFile } from './sites/folders-without-site-file.ts';
export { readSites, type SiteFile } from './sites/site-file.ts';

/** Stored data of a site and its freshness, in the formats of `sync.status`, `sync.runs` and `sync.problems`. */
export interface StatusSnapshot {
  readonly status: ContractOutputs['sync']['status'];
  readonly last_run: SyncRun | null;
  /** Job of the running sync, or null if no sync is running. */
  readonly job: Job | null;
  /** Latest sync problems, up to the requested number. */
  readonly problems: readonly SyncProblem[];
}

/** Reads a site's status. Returns null if the databases cannot be read directly and the backend must be queried. */
export function readStatusSnapshot(home: string, file: SiteFile, problems: number): StatusSnapshot | null {
  const { site } = file;
  const folder = getSiteFolder(home, site);
  const openDatabases: ReadableDb[] = [];
  const open = (kind: 'cache' | 'books') => {
    const db = openStoreIfCurrent(join(folder, `${kind}.db`), kind);
    if (db !== null) openDatabases.push(db);
    return db;
  };
  try {
    const [cache, books] = [open('cache'), open('books')];
    if (cache === null || books === null) return null;
    return withReadSnapshot(cache, () => ({
      ...withReadSnapshot(books, () => {
        const status = {
          ...readSyncStatus(cache, books, file, () => isSiteLocked(folder)),
          ...findOtherProcesses(folder),
        };
        return { status, job: status.running === null ? null : getJob(books, site, status.running) };
      }),
      last_run: listSyncRuns(cache, 1).map((run) => getActualWorkState(run, folder))[0] ?? null,
      problems: listSyncProblems(cache, { limit: problems }).rows,
    }));
  } catch {
    return null;
  } finally {
    for (const db of openDatabases) db.close();
  }
}
