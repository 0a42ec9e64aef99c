import type { WebhookFilter } from '../../../contract/webhooks/webhooks.ts';
import {
  type ListOptions,
  parseDate,
  parseServiceId,
  parseWordList,
  toListRequest,
} from '../../input/options.ts';
import type { CliCommand } from '../../runtime/cli-command.ts';

/** Command options that filter webhooks, for lists and for replay plans. */
export type WebhookFilterOptions = ListOptions<{ filter: WebhookFilter }>;

export function addWebhookFilterOptions(command: CliCommand): void {
  command
    .choiceOption('--status <status>', 'only webhooks with this delivery status', [
      'successful',
      'failed',
      'pending',
    ])
    .option('--event <event>', 'only webhooks for this event (repeatable, or comma-separated)', parseWordList)
    .option(
      '--since <date>',
      "only webhooks created on or after this date in the site's time zone",
      parseDate,
    )
    .option('--until <date>', 'only webhooks created on or before this date', parseDate)
    .option('--from <time>', 'only webhooks created at or after this time, for example 2026-10-01T10:00:00Z')
    .option('--to <time>', 'only webhooks created at or before this time')
    .option('--search <text>', 'search bodies, events and errors for words, IDs or a "quoted phrase"')
    .option('--subscription <id>', 'only webhooks of this subscription', parseServiceId)
    .option('--statement <id>', 'only webhooks of this statement', parseServiceId)
    .option('--url <url>', 'only webhooks last sent to this address')
    .option('--error <group>', 'only webhooks in this error group, as listed by `tieout webhooks errors`');
}

export const toWebhookFilter = (options: WebhookFilterOptions): WebhookFilter =>
  toListRequest<{ filter: WebhookFilter }>(options).filter;
