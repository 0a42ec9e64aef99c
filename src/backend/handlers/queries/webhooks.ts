import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { partState } from '../../store/sync/sync-unit.ts';
import { webhookDetail } from '../../store/webhooks/webhook-detail.ts';
import { webhookErrors } from '../../store/webhooks/webhook-errors.ts';
import { webhookFacets } from '../../store/webhooks/webhook-facets.ts';
import { listWebhooks, webhookMarks } from '../../store/webhooks/webhook-list.ts';
import { webhookOutages } from '../../store/webhooks/webhook-outages.ts';
import { webhookTimeline } from '../../store/webhooks/webhook-timeline.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).webhooks;

export function webhookQueries({ stores }: ReaderContext) {
  return {
    list: on.list.handler(({ input }) => stores.read(input.site, ({ cache }) => listWebhooks(cache, input))),
    marks: on.marks.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => webhookMarks(cache, input)),
    ),
    get: on.get.handler(({ input: { site, id } }) =>
      found(
        stores.read(site, ({ cache, books }) => webhookDetail(cache, books, id)),
        `webhook ${id}`,
        'Sync the site; a webhook the service no longer keeps cannot be fetched.',
      ),
    ),
    facets: on.facets.handler(({ input }) => stores.read(input.site, ({ cache }) => webhookFacets(cache))),
    outages: on.outages.handler(({ input: { site, limit } }) =>
      stores.read(site, ({ cache }) => {
        const part = partState<{ skew?: number }>(cache, 'webhooks');
        const skew = part?.checkpoint.skew ?? 0;
        const known_to = (part?.synced_at ?? 0) + skew;
        return webhookOutages(cache, { limit, now: Date.now() + skew, known_to });
      }),
    ),
    timeline: on.timeline.handler(({ input: { site, filter, buckets } }) =>
      stores.read(site, ({ cache }) => webhookTimeline(cache, filter, buckets)),
    ),
    errors: on.errors.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => webhookErrors(cache, input.filter)),
    ),
  };
}
