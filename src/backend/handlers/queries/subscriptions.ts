import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import {
  listSubscriptions,
  subscription,
  subscriptionMarks,
} from '../../store/statements/subscription-list.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).subscriptions;

export function subscriptionQueries({ stores }: ReaderContext) {
  return {
    list: on.list.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => listSubscriptions(cache, input)),
    ),
    marks: on.marks.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => subscriptionMarks(cache, input)),
    ),
    story: on.story.handler(async ({ input }) => {
      const { story } = await import('../../store/statements/story.ts');
      return found(
        stores.read(input.site, (site) => story(site, input)),
        `subscription ${input.subscription_id}`,
        'No statement, webhook or allocation held here tells of it; sync the site.',
      );
    }),
    get: on.get.handler(({ input: { site, subscription_id } }) =>
      found(
        stores.read(site, ({ cache }) => subscription(cache, subscription_id)),
        `subscription ${subscription_id}`,
        'No statement, webhook or allocation held here tells of it; sync the site.',
      ),
    ),
  };
}
