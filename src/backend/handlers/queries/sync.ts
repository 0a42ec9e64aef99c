import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import { getActualSyncState, isSiteLocked } from '../../sites/actual-job-state.ts';
import { findOtherProcesses } from '../../sites/other-processes.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { listProblems, listRuns, syncRun, syncStatus } from '../../store/sync/sync-status.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).sync;

export function syncQueries({ stores }: ReaderContext) {
  const { query } = createSiteQueries(stores);
  return {
    status: on.status.handler(
      query(({ cache, books, folder }, { site }) => ({
        ...syncStatus(cache, books, site, () => isSiteLocked(folder)),
        ...findOtherProcesses(folder),
      })),
    ),
    runs: on.runs.handler(
      query(({ cache, folder }, { limit }) =>
        listRuns(cache, limit).map((run) => getActualSyncState(run, folder)),
      ),
    ),
    run: on.run.handler(({ input: { site, job } }) =>
      requireFound(
        stores.read(site, ({ cache, folder }) => {
          const run = syncRun(cache, job);
          return run === null ? null : getActualSyncState(run, folder);
        }),
        `sync ${job}`,
        'See the site’s runs for those there are.',
      ),
    ),
    problems: on.problems.handler(query(({ cache }, input) => listProblems(cache, input))),
  };
}
