import { missingWebhookProcedures } from '../../../contract/webhooks/missing-webhooks.ts';
import { listMissingWebhooks } from '../../missing-webhooks/derive-missing-webhooks.ts';
import { offerMissingWebhooks } from '../../missing-webhooks/offer-missing-webhooks.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const missingWebhookQueries = ({ query, ...context }: QueryContext) =>
  implementProcedures(missingWebhookProcedures, {
    list: query((site, input) => listMissingWebhooks(site, input, Date.now())),
    export: ({ input }) => offerMissingWebhooks(context, input),
  });
