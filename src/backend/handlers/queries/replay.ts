import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { replayAsItIs } from '../../jobs/worked-on.ts';
import { offerReport } from '../../replay/report.ts';
import { replayErrors } from '../../store/replay/replay-errors.ts';
import { itemMarks, listItems, listPlans, listReplays, replayOf } from '../../store/replay/replay-list.ts';
import { listPlanItems } from '../../store/replay/replay-plan-items.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).replay;
const HINT = 'See the site’s replays for those there are.';

export function replayQueries(context: ReaderContext) {
  const { stores } = context;
  return {
    plans: on.plans.handler(({ input: { site } }) =>
      stores.read(site, ({ books }) => listPlans(books, site)),
    ),
    list: on.list.handler(({ input: { site } }) =>
      stores.read(site, ({ books, folder }) =>
        listReplays(books, site).map((replay) => replayAsItIs(replay, folder)),
      ),
    ),
    get: on.get.handler(({ input: { site, job } }) =>
      found(
        stores.read(site, ({ books, folder }) => {
          const replay = replayOf(books, site, job);
          return replay === null ? null : replayAsItIs(replay, folder);
        }),
        `replay ${job}`,
        HINT,
      ),
    ),
    planItems: on.planItems.handler(({ input }) =>
      stores.read(input.site, ({ books }) => listPlanItems(books, input)),
    ),
    errors: on.errors.handler(({ input: { site, job } }) =>
      stores.read(site, ({ books }) => replayErrors(books, job)),
    ),
    report: on.report.handler(({ input }) => offerReport(context, input)),
    itemMarks: on.itemMarks.handler(({ input }) =>
      stores.read(input.site, ({ books }) => itemMarks(books, input)),
    ),
    items: on.items.handler(({ input }) => stores.read(input.site, ({ books }) => listItems(books, input))),
  };
}
