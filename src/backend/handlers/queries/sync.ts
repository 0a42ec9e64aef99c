import { syncProcedures } from '../../../contract/app/sync.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { getActualWorkState, isSiteLocked } from '../../sites/actual-job-state.ts';
import { findOtherProcesses } from '../../sites/other-processes.ts';
import { getSyncRun, listSyncProblems, listSyncRuns, readSyncStatus } from '../../store/sync/sync-status.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const syncQueries = ({ query }: QueryContext) =>
  implementProcedures(syncProcedures, {
    status: query(({ cache, books, folder, file }) => ({
      ...readSyncStatus(cache, books, file, () => isSiteLocked(folder)),
      ...findOtherProcesses(folder),
    })),
    runs: query(({ cache, folder }, { limit }) =>
      listSyncRuns(cache, limit).map((run) => getActualWorkState(run, folder)),
    ),
    run: query(({ cache, folder }, { job }) => {
      const run = requireRecord(getSyncRun(cache, job), `sync ${job}`, 'See the list of sync runs.');
      return getActualWorkState(run, folder);
    }),
    problems: query(({ cache }, input) => listSyncProblems(cache, input)),
  });
