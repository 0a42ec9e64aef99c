import type { ErrorGroup, Outage, WebhookDetail, WebhookRow } from '../../../contract/webhooks/webhooks.ts';
import {
  addPageOptions,
  createChoiceOption,
  createIntegerParser,
  type PageOptions,
  parseServiceId,
} from '../../input/options.ts';
import {
  addWebhookFilterOptions,
  toWebhookFilter,
  type WebhookFilterOptions,
} from '../../input/webhook-filter.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatMinute, formatNumber } from '../../output/format-values.ts';
import { formatLabeledValues, type TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { indexForSearch } from '../../runtime/search-index.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';

interface WebhookListOptions extends WebhookFilterOptions, PageOptions {
  readonly order: 'newest_first' | 'oldest_first';
  readonly sort: 'created_at' | 'last_sent_at' | 'event' | 'id';
}

export const defineWebhookCommands: DefineCommand = (command, handle) => {
  addPageOptions(addWebhookFilterOptions(command.command('list').description('List webhooks')))
    .addOption(
      createChoiceOption('--order <order>', 'sort order', ['newest_first', 'oldest_first']).default(
        'newest_first',
      ),
    )
    .addOption(
      createChoiceOption('--sort <field>', 'field to sort by', [
        'created_at',
        'last_sent_at',
        'event',
        'id',
      ]).default('created_at'),
    )
    .action(
      handle.list(async (cli, options: WebhookListOptions) => {
        const { client, site } = await cli.session.openSite();
        const { webhookRowSchema } = await import('../../../contract/webhooks/webhooks.ts');
        const query = {
          site,
          filter: toWebhookFilter(options),
          sort: { by: options.sort, direction: options.order === 'newest_first' ? 'desc' : 'asc' },
        } as const;
        await indexForSearch(cli, client, { ...query, of: 'webhooks' });
        await cli.output.list<WebhookRow>({
          columns,
          fields: Object.keys(webhookRowSchema.shape),
          pages: fetchPages(options, (page) => client.webhooks.list({ ...query, ...page })),
          footer: createPageFooter('webhooks'),
          empty: 'No webhooks found. See what is stored with: tieout status',
        });
        await printMissingDataNote(cli, client, { site, part: 'webhooks' });
      }),
    );

  command
    .command('show')
    .description('Show a webhook with its body, errors and replays')
    .argument('<id>', 'ID of the webhook', parseServiceId)
    .action(
      handle(async (cli, id: number) => {
        const { client, site } = await cli.session.openSite();
        const webhook = await client.webhooks.get({ site, id });
        await cli.output.document(webhook, () => formatWebhook(webhook));
      }),
    );

  addWebhookFilterOptions(
    command
      .command('errors')
      .description('List errors of webhooks that were not accepted, with their number of webhooks'),
  ).action(
    handle.list(async (cli, options: WebhookFilterOptions) => {
      const { client, site } = await cli.session.openSite();
      const { errorGroupSchema } = await import('../../../contract/webhooks/webhooks.ts');
      const filter = toWebhookFilter(options);
      await indexForSearch(cli, client, { site, of: 'webhooks', filter });
      const groups = await client.webhooks.errors({ site, filter });
      await cli.output.list<ErrorGroup>({
        columns: errorColumns,
        fields: Object.keys(errorGroupSchema.shape),
        pages: [{ rows: groups, next: null }],
        empty: 'No errors found.',
      });
      await printMissingDataNote(cli, client, { site, part: 'webhooks' });
    }),
  );

  defineOutages(command, handle);
};

const defineOutages: DefineCommand = (command, handle) => {
  command
    .command('outages')
    .description('List outages of the endpoint and gaps in the webhook log, newest first')
    .option('--limit <n>', 'maximum number of outages', createIntegerParser(1, 500), 100)
    .action(
      handle.list(async (cli, { limit }: { limit: number }) => {
        const { client, site } = await cli.session.openSite();
        const { outageSchema } = await import('../../../contract/webhooks/webhooks.ts');
        const { outages, more } = await client.webhooks.outages({ site, limit });
        await cli.output.list<Outage>({
          columns: outageColumns,
          fields: Object.keys(outageSchema.shape),
          pages: [{ rows: outages, next: null }],
          footer: () =>
            `${more > 0 ? `${formatNumber(more)} older outages are not listed.\n` : ''}Plan a replay with: tieout replay plan --outage ID`,
          empty: 'The webhook log shows no outages.',
        });
        await printMissingDataNote(cli, client, { site, part: 'webhooks' });
      }),
    );
};

const columns: TableColumn<WebhookRow>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'event', cell: ({ event }) => event, minWidth: 16 },
  { header: 'delivery', cell: ({ delivery }) => delivery },
  { header: 'created', cell: ({ created_at }) => formatMinute(created_at) },
  { header: 'last sent', cell: ({ last_sent_at }) => formatMinute(last_sent_at), isOptional: true },
  { header: 'subscription', cell: ({ subscription_id }) => subscription_id, align: 'right' },
  { header: 'error', cell: ({ last_error }) => last_error, minWidth: 20 },
];

const errorColumns: TableColumn<ErrorGroup>[] = [
  { header: 'count', cell: (group) => formatNumber(group.count), align: 'right' },
  { header: 'error', cell: ({ error }) => error, minWidth: 24 },
  { header: 'first', cell: ({ first_at }) => formatMinute(first_at) },
  { header: 'last', cell: ({ last_at }) => formatMinute(last_at) },
  {
    header: 'address',
    cell: ({ urls }) => urls.map(({ url }) => url).join(' '),
    minWidth: 16,
    isOptional: true,
  },
];

const outageKindLabels = { failures: 'failures', never_sent: 'never sent', hole: 'gap in the log' } as const;

const outageColumns: TableColumn<Outage>[] = [
  { header: 'outage', cell: ({ id }) => id },
  { header: 'kind', cell: ({ kind, ongoing }) => `${outageKindLabels[kind]}${ongoing ? ', ongoing' : ''}` },
  { header: 'from (UTC)', cell: ({ from }) => formatMinute(from) },
  { header: 'to (UTC)', cell: ({ to }) => formatMinute(to) },
  { header: 'failed', cell: ({ failed }) => formatNumber(failed), align: 'right' },
  { header: 'pending', cell: ({ pending }) => formatNumber(pending), align: 'right' },
  { header: 'accepted', cell: ({ accepted }) => formatNumber(accepted), align: 'right', isOptional: true },
  { header: 'error', cell: ({ error }) => error, minWidth: 16 },
  { header: 'address', cell: ({ url }) => url, minWidth: 16, isOptional: true },
];

/** Formats a webhook with its body and its replays. */
function formatWebhook(webhook: WebhookDetail): string[] {
  const { fields, replays } = webhook;
  return [
    ...formatLabeledValues([
      ['webhook', webhook.id],
      ['event', webhook.event],
      ['delivery', webhook.delivery],
      ['created', webhook.created_at],
      ['last sent', webhook.last_sent_at],
      ['last sent to', webhook.last_sent_url],
      ['accepted', webhook.accepted_at],
      ['last error at', webhook.last_error_at],
      ['last error', webhook.last_error],
      ['subscription', webhook.subscription_id],
      ['statement', webhook.statement_id],
      ['signature', webhook.signature],
      ['synced', webhook.synced_at],
    ]),
    '',
    'body',
    ...formatLabeledValues(fields.map(({ key, value }) => [`  ${key}`, value] as const)),
    ...(replays.length === 0 ? [] : ['', 'replays']),
    ...replays.map(({ job, outcome, sent_at }) => `  ${formatMinute(sent_at)}  ${outcome}  (${job})`),
  ];
}
