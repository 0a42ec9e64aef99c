/**
 * What a command must be able to say at once, read straight from a home: nothing is loaded for it but SQLite, and nothing is made,
 * mended or locked.
 */
import { join } from 'node:path';
import type { Job, Outputs, SyncProblem, SyncRun } from '../contract/index.ts';
import { othersOn } from './jobs/others.ts';
import { isWorkedOn, runAsItIs } from './jobs/worked-on.ts';
import { type SiteFile, siteFolder } from './sites/site-file.ts';
import { jobOf } from './store/books/job-list.ts';
import { type ReadableDb, snapshot } from './store/database.ts';
import { openReady } from './store/ready.ts';
import { listProblems, listRuns, syncStatus } from './store/sync/sync-status.ts';

export { readSites, type SiteFile } from './sites/site-file.ts';

/** What is held of a site and how fresh it is, as `sync.status`, `sync.runs` and `sync.problems` have it. */
export interface Glance {
  readonly status: Outputs['sync']['status'];
  readonly last_run: SyncRun | null;
  /** The sync that runs. */
  readonly job: Job | null;
  /** The newest so many. */
  readonly problems: readonly SyncProblem[];
}

/** Null where that takes more than a look, or cannot be had: whoever asks the backend then gets it, or is told why not. */
export function glanceAt(home: string, { site }: SiteFile, problems: number): Glance | null {
  const folder = siteFolder(home, site);
  const opened: ReadableDb[] = [];
  const open = (kind: 'cache' | 'books') => {
    const db = openReady(join(folder, `${kind}.db`), kind);
    if (db !== null) opened.push(db);
    return db;
  };
  try {
    const [cache, books] = [open('cache'), open('books')];
    if (cache === null || books === null) return null;
    return snapshot(cache, () => ({
      ...snapshot(books, () => {
        const status = { ...syncStatus(cache, books, site, () => isWorkedOn(folder)), ...othersOn(folder) };
        return { status, job: status.running === null ? null : jobOf(books, site, status.running) };
      }),
      last_run: listRuns(cache, 1).map((run) => runAsItIs(run, folder))[0] ?? null,
      problems: listProblems(cache, { limit: problems }).rows,
    }));
  } catch {
    return null;
  } finally {
    for (const db of opened) db.close();
  }
}
