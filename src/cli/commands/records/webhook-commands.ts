import type {
  Outage,
  WebhookDetail,
  WebhookErrorGroup,
  WebhookRow,
} from '../../../contract/webhooks/webhooks.ts';
import { describeEndpoint, isEndpointStopped } from '../../../domain/labels/service-details.ts';
import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import { createIntegerParser, parseServiceId } from '../../input/options.ts';
import { formatMinute, formatNumber } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import { createCountColumn, formatLabeledValues, type TableColumn } from '../../output/table.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';
import {
  addWebhookFilterOptions,
  toWebhookFilter,
  type WebhookFilterOptions,
} from '../shared/webhook-filter.ts';
import { defineMissingWebhookCommand } from './missing-webhook-command.ts';

interface WebhookSortOptions {
  readonly order: 'newest_first' | 'oldest_first';
  readonly sort: 'created_at' | 'last_sent_at' | 'event' | 'id';
}

export const defineWebhookCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List webhooks')
    .with(addWebhookFilterOptions)
    .pageOptions()
    .choiceOption('--order <order>', 'sort order', ['newest_first', 'oldest_first'], 'newest_first')
    .choiceOption(
      '--sort <field>',
      'field to sort by',
      ['created_at', 'last_sent_at', 'event', 'id'],
      'created_at',
    )
    .listOnSite(
      async (context, { order, sort: by, ...options }: WebhookFilterOptions & WebhookSortOptions) => {
        const { client, site } = context;
        const filter = toWebhookFilter(options);
        const query = {
          site,
          filter,
          sort: { by, direction: order === 'newest_first' ? 'desc' : 'asc' },
        } as const;
        await updateSearchIndex(context, 'webhooks', filter);
        await printList(context, options, {
          columns,
          fields: async () => (await import('../../../contract/webhooks/webhooks.ts')).webhookRowSchema,
          fetchPage: (page) => client.webhooks.list({ ...query, ...page }),
          noun: 'webhooks',
          empty: 'No webhooks found. See what is stored with: tieout status',
        });
        await printMissingDataNote(context, 'webhooks');
      },
    );

  command
    .subcommand('show', 'Show a webhook with its body, errors and replays')
    .argument('<id>', 'ID of the webhook', parseServiceId)
    .runOnSite(async ({ client, site, output }, id: number) => {
      const webhook = await client.webhooks.get({ site, id });
      await output.document(webhook, () => formatWebhook(webhook));
    });

  command
    .subcommand('errors', 'List delivery errors with the number of webhooks that have not been accepted')
    .with(addWebhookFilterOptions)
    .listOnSite(async (context, options: WebhookFilterOptions) => {
      const { client, site, output } = context;
      const filter = toWebhookFilter(options);
      await updateSearchIndex(context, 'webhooks', filter);
      await output.list({
        columns: errorColumns,
        fields: async () => (await import('../../../contract/webhooks/webhooks.ts')).webhookErrorGroupSchema,
        pages: [{ rows: await client.webhooks.errors({ site, filter }), next: null }],
        empty: 'No errors found.',
      });
      await printMissingDataNote(context, 'webhooks');
    });

  defineOutageCommands(command);
  defineMissingWebhookCommand(command);
};

const defineOutageCommands: DefineCommand = (command) => {
  command
    .subcommand(
      'endpoints',
      'Show whether the service sends webhooks to each endpoint; exits with 1 if it does not',
    )
    .runConnected(async ({ client, site, output }) => {
      const { endpoints } = await client.sites.endpoints({ site });
      await output.document({ site, endpoints }, () =>
        endpoints === null
          ? ['The service does not report the state of its endpoints.']
          : endpoints.length === 0
            ? ['The site has no webhook endpoint.']
            : endpoints.map(describeEndpoint),
      );
      return getSuccessExitCode(!endpoints?.some(({ status }) => isEndpointStopped(status)));
    });

  command
    .subcommand('outages', 'List outages of the endpoint and gaps in the webhook log, newest first')
    .option('--limit <n>', 'maximum number of outages', createIntegerParser(1, 500), 100)
    .listOnSite(async (context, { limit }: { limit: number }) => {
      const { client, site, output } = context;
      const { outages, more } = await client.webhooks.outages({ site, limit });
      await output.list({
        columns: outageColumns,
        fields: async () => (await import('../../../contract/webhooks/webhooks.ts')).outageSchema,
        pages: [{ rows: outages, next: null }],
        footer: () =>
          `${more > 0 ? `${formatNumber(more)} older outages are not listed.\n` : ''}Plan a replay with: tieout replay plan --outage ID`,
        empty: 'The webhook log shows no outages.',
      });
      await printMissingDataNote(context, 'webhooks');
    });
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

const errorColumns: TableColumn<WebhookErrorGroup>[] = [
  createCountColumn('count', ({ count }) => count),
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

const outageKindLabels = { failures: 'failures', never_sent: 'never sent', gap: 'gap in the log' } as const;

const outageColumns: TableColumn<Outage>[] = [
  { header: 'outage', cell: ({ id }) => id },
  { header: 'kind', cell: ({ kind, ongoing }) => `${outageKindLabels[kind]}${ongoing ? ', ongoing' : ''}` },
  { header: 'from (UTC)', cell: ({ from }) => formatMinute(from) },
  { header: 'to (UTC)', cell: ({ to }) => formatMinute(to) },
  createCountColumn('failed', ({ failed }) => failed),
  createCountColumn('pending', ({ pending }) => pending),
  createCountColumn('accepted', ({ accepted }) => accepted, { isOptional: true }),
  { header: 'error', cell: ({ error }) => error, minWidth: 16 },
  { header: 'address', cell: ({ url }) => url, minWidth: 16, isOptional: true },
];

/** Formats a webhook with its body and its replays. */
function formatWebhook(webhook: WebhookDetail): TextLines {
  const { fields, replays } = webhook;
  return [
    formatLabeledValues([
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
    formatLabeledValues(fields.map(({ key, value }) => [`  ${key}`, value] as const)),
    replays.length > 0 && ['', 'replays'],
    replays.map(({ job, outcome, sent_at }) => `  ${formatMinute(sent_at)}  ${outcome}  (${job})`),
  ];
}
