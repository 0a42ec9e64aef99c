import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { othersOn } from '../../jobs/others.ts';
import { isWorkedOn, runAsItIs } from '../../jobs/worked-on.ts';
import { listProblems, listRuns, syncRun, syncStatus } from '../../store/sync/sync-status.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).sync;

export function syncQueries({ stores }: ReaderContext) {
  return {
    status: on.status.handler(({ input: { site } }) =>
      stores.read(site, ({ cache, books, folder }) => ({
        ...syncStatus(cache, books, site, () => isWorkedOn(folder)),
        ...othersOn(folder),
      })),
    ),
    runs: on.runs.handler(({ input: { site, limit } }) =>
      stores.read(site, ({ cache, folder }) => listRuns(cache, limit).map((run) => runAsItIs(run, folder))),
    ),
    run: on.run.handler(({ input: { site, job } }) =>
      found(
        stores.read(site, ({ cache, folder }) => {
          const run = syncRun(cache, job);
          return run === null ? null : runAsItIs(run, folder);
        }),
        `sync ${job}`,
        'See the site’s runs for those there are.',
      ),
    ),
    problems: on.problems.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => listProblems(cache, input)),
    ),
  };
}
