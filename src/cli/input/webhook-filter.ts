import type { Command } from 'commander';
import type { WebhookFilter } from '../../contract/webhooks.ts';
import { choice, date, given, serviceId, words } from './options.ts';

/** The selection of webhooks, the same for lists and replay plans. */
export interface FilterOptions {
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

/** The options that select webhooks. */
export function filterOptions(command: Command): Command {
  return command
    .addOption(choice('--status <status>', 'how the delivery stands', ['successful', 'failed', 'pending']))
    .option('--event <event>', 'only this event; may be given again, or comma-separated', words)
    .option('--since <day>', 'created on this day or later, in the calendar of the site', date)
    .option('--until <day>', 'created on this day or earlier', date)
    .option('--from <instant>', 'created at this instant or later, as 2026-10-01T10:00:00Z')
    .option('--to <instant>', 'created at this instant or earlier')
    .option('--search <text>', 'words, ids or a "quoted phrase" in body, event or error')
    .option('--subscription <id>', 'only of this subscription', serviceId)
    .option('--statement <id>', 'only of this statement', serviceId)
    .option('--url <url>', 'last sent to this address')
    .option('--error <group>', 'only this group of errors, as `tieout webhooks errors` names it');
}

/** The filter those options mean. */
export function webhookFilter(options: FilterOptions): WebhookFilter {
  const { status, event, since, until, from, to, search, subscription, statement, url, error } = options;
  return given({
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
