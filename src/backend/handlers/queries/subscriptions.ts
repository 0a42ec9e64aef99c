import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import {
  listSubscriptions,
  subscription,
  subscriptionMarks,
} from '../../store/statements/subscription-list.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).subscriptions;

export function subscriptionQueries({ stores }: ReaderContext) {
  const { query } = createSiteQueries(stores);
  return {
    list: on.list.handler(query(({ cache }, input) => listSubscriptions(cache, input))),
    marks: on.marks.handler(query(({ cache }, input) => subscriptionMarks(cache, input))),
    activity: on.activity.handler(async ({ input }) => {
      const { activity } = await import('../../store/activity/activity.ts');
      return requireFound(
        stores.read(input.site, (site) => activity(site, input)),
        `subscription ${input.subscription_id}`,
        'No statement, webhook or allocation held here tells of it; sync the site.',
      );
    }),
    get: on.get.handler(({ input: { site, subscription_id } }) =>
      requireFound(
        stores.read(site, ({ cache }) => subscription(cache, subscription_id)),
        `subscription ${subscription_id}`,
        'No statement, webhook or allocation held here tells of it; sync the site.',
      ),
    ),
  };
}
