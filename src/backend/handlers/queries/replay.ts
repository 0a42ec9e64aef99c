import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { listItems, listPlans, listReplays, replayOf, replayPlan } from '../../store/replayList.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../readerContext.ts';

const on = implement(contract).replay;
const HINT = 'See the site’s replays for those there are.';

export function replayQueries({ stores }: ReaderContext) {
  return {
    getPlan: on.getPlan.handler(({ input: { site, plan } }) =>
      found(
        stores.read(site, ({ books }) => replayPlan(books, site, plan)),
        `replay plan ${plan}`,
        HINT,
      ),
    ),
    plans: on.plans.handler(({ input: { site } }) =>
      stores.read(site, ({ books }) => listPlans(books, site)),
    ),
    list: on.list.handler(({ input: { site } }) =>
      stores.read(site, ({ books }) => listReplays(books, site)),
    ),
    get: on.get.handler(({ input: { site, job } }) =>
      found(
        stores.read(site, ({ books }) => replayOf(books, site, job)),
        `replay ${job}`,
        HINT,
      ),
    ),
    items: on.items.handler(({ input }) => stores.read(input.site, ({ books }) => listItems(books, input))),
  };
}
