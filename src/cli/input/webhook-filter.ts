import type { Command } from 'commander';
import type { WebhookFilter } from '../../contract/webhooks/webhooks.ts';
import { collectWords, createChoiceOption, omitUndefined, parseDate, parseServiceId } from './options.ts';

/** Command options that filter webhooks, for lists and for replay plans. */
export interface WebhookFilterOptions {
  readonly status?: 'successful' | 'failed' | 'pending';
  readonly event?: string[];
  readonly since?: string;
  readonly until?: string;
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
  readonly subscription?: number;
  readonly statement?: number;
  readonly url?: string;
  readonly error?: string;
}

export function addWebhookFilterOptions(command: Command): Command {
  return command
    .addOption(
      createChoiceOption('--status <status>', 'only this delivery status', [
        'successful',
        'failed',
        'pending',
      ]),
    )
    .option('--event <event>', 'only this event (repeatable, or comma-separated)', collectWords)
    .option('--since <date>', "only created on or after this date in the site's time zone", parseDate)
    .option('--until <date>', 'only created on or before this date', parseDate)
    .option('--from <time>', 'only created at or after this time, for example 2026-10-01T10:00:00Z')
    .option('--to <time>', 'only created at or before this time')
    .option('--search <text>', 'search bodies, events and errors for words, IDs or a "quoted phrase"')
    .option('--subscription <id>', 'only webhooks of this subscription', parseServiceId)
    .option('--statement <id>', 'only webhooks of this statement', parseServiceId)
    .option('--url <url>', 'only last sent to this address')
    .option('--error <group>', 'only this error group, as listed by `tieout webhooks errors`');
}

export function toWebhookFilter(options: WebhookFilterOptions): WebhookFilter {
  const { status, event, since, until, from, to, search, subscription, statement, url, error } = options;
  return omitUndefined({
    status,
    event,
    since,
    until,
    from,
    to,
    search,
    subscription_id: subscription,
    statement_id: statement,
    url,
    error,
  });
}
