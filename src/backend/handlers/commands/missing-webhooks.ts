import { missingWebhookProcedures } from '../../../contract/webhooks/missing-webhooks.ts';
import { readEventsFeed } from '../../missing-webhooks/read-events-feed.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

export const missingWebhookCommands = (context: WriterContext) =>
  implementProcedures(missingWebhookProcedures, {
    readEvents: ({ input, signal }) => readEventsFeed(context, input, signal),
  });
