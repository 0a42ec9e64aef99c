import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { partState } from '../../store/sync/sync-unit.ts';
import { webhookDetail } from '../../store/webhooks/webhook-detail.ts';
import { webhookErrors } from '../../store/webhooks/webhook-errors.ts';
import { webhookFacets } from '../../store/webhooks/webhook-facets.ts';
import { listWebhooks, webhookMarks } from '../../store/webhooks/webhook-list.ts';
import { webhookOutages } from '../../store/webhooks/webhook-outages.ts';
import { webhookTimeline } from '../../store/webhooks/webhook-timeline.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).webhooks;

export function webhookQueries({ stores }: ReaderContext) {
  const { query } = createSiteQueries(stores);
  return {
    list: on.list.handler(query(({ cache }, input) => listWebhooks(cache, input))),
    marks: on.marks.handler(query(({ cache }, input) => webhookMarks(cache, input))),
    get: on.get.handler(({ input: { site, id } }) =>
      requireFound(
        stores.read(site, ({ cache, books }) => webhookDetail(cache, books, id)),
        `webhook ${id}`,
        'Sync the site; a webhook the service no longer keeps cannot be fetched.',
      ),
    ),
    facets: on.facets.handler(query(({ cache }) => webhookFacets(cache))),
    outages: on.outages.handler(
      query(({ cache }, { limit }) => {
        const part = partState<{ skew?: number }>(cache, 'webhooks');
        const skew = part?.checkpoint.skew ?? 0;
        const known_to = (part?.synced_at ?? 0) + skew;
        return webhookOutages(cache, { limit, now: Date.now() + skew, known_to });
      }),
    ),
    timeline: on.timeline.handler(
      query(({ cache }, { filter, buckets }) => webhookTimeline(cache, filter, buckets)),
    ),
    errors: on.errors.handler(query(({ cache }, input) => webhookErrors(cache, input.filter))),
  };
}
