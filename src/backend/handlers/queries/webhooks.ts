import { webhookProcedures } from '../../../contract/webhooks/webhooks.ts';
import { listCurrentOutages } from '../../incidents/list-current-outages.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { getWebhookDetail } from '../../store/webhooks/webhook-detail.ts';
import { listWebhookErrors } from '../../store/webhooks/webhook-errors.ts';
import { readWebhookFacets } from '../../store/webhooks/webhook-facets.ts';
import { listWebhooks, readWebhookPageCursors } from '../../store/webhooks/webhook-list.ts';
import { getWebhookTimeline } from '../../store/webhooks/webhook-timeline.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const webhookQueries = ({ query }: QueryContext) =>
  implementProcedures(webhookProcedures, {
    list: query(({ cache }, input) => listWebhooks(cache, input)),
    marks: query(({ cache }, input) => readWebhookPageCursors(cache, input)),
    get: query(({ cache, books }, { id }) =>
      requireRecord(
        getWebhookDetail(cache, books, id),
        `webhook ${id}`,
        'Sync the site. A webhook that the service has deleted cannot be downloaded.',
      ),
    ),
    facets: query(({ cache }) => readWebhookFacets(cache)),
    outages: query(({ cache }, { limit }) => listCurrentOutages(cache, limit, Date.now())),
    timeline: query(({ cache }, { filter, buckets }) => getWebhookTimeline(cache, filter, buckets)),
    errors: query(({ cache }, input) => listWebhookErrors(cache, input.filter)),
  });
