import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { offerReplayReport } from '../../replay/replay-report.ts';
import { requireFound } from '../../shared/not-found.ts';
import { getActualReplayState } from '../../sites/actual-job-state.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { replayErrors } from '../../store/replay/replay-errors.ts';
import { itemMarks, listItems, listPlans, listReplays, replayOf } from '../../store/replay/replay-list.ts';
import { listPlanItems } from '../../store/replay/replay-plan-items.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).replay;
const UNKNOWN_REPLAY_HINT = 'See the site’s replays for those there are.';

export function replayQueries(context: ReaderContext) {
  const { stores } = context;
  const { query } = createSiteQueries(stores);
  return {
    plans: on.plans.handler(query(({ books }, { site }) => listPlans(books, site))),
    list: on.list.handler(
      query(({ books, folder }, { site }) =>
        listReplays(books, site).map((replay) => getActualReplayState(replay, folder)),
      ),
    ),
    get: on.get.handler(({ input: { site, job } }) =>
      requireFound(
        stores.read(site, ({ books, folder }) => {
          const replay = replayOf(books, site, job);
          return replay === null ? null : getActualReplayState(replay, folder);
        }),
        `replay ${job}`,
        UNKNOWN_REPLAY_HINT,
      ),
    ),
    planItems: on.planItems.handler(query(({ books }, input) => listPlanItems(books, input))),
    errors: on.errors.handler(query(({ books }, { job }) => replayErrors(books, job))),
    report: on.report.handler(({ input }) => offerReplayReport(context, input)),
    itemMarks: on.itemMarks.handler(query(({ books }, input) => itemMarks(books, input))),
    items: on.items.handler(query(({ books }, input) => listItems(books, input))),
  };
}
