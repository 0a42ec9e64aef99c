import type { ErrorGroup, Outage, WebhookDetail, WebhookRow } from '../../contract/webhooks.ts';
import { choice, type ListOptions, listOptions, serviceId, whole } from '../input/options.ts';
import { type FilterOptions, filterOptions, webhookFilter } from '../input/webhook-filter.ts';
import { count, minute } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import { type Column, pairLines } from '../output/table.ts';
import { makeSearchable } from '../searchable.ts';
import { sayMissing } from '../stands-on.ts';
import type { Define } from '../verbs.ts';

interface WebhookListOptions extends FilterOptions, ListOptions {
  readonly order: 'newest_first' | 'oldest_first';
  readonly sort: 'created_at' | 'last_sent_at' | 'event' | 'id';
}

export const define: Define = (command, act) => {
  listOptions(filterOptions(command.command('list').description('List webhooks.')))
    .addOption(
      choice('--order <order>', 'newest_first or oldest_first', ['newest_first', 'oldest_first']).default(
        'newest_first',
      ),
    )
    .addOption(
      choice('--sort <field>', 'what the order goes by', [
        'created_at',
        'last_sent_at',
        'event',
        'id',
      ]).default('created_at'),
    )
    .action(
      act.list(async (cli, options: WebhookListOptions) => {
        const { client, site } = await cli.session.local();
        const { webhookRow } = await import('../../contract/webhooks.ts');
        const selection = {
          site,
          filter: webhookFilter(options),
          sort: { by: options.sort, direction: options.order === 'newest_first' ? 'desc' : 'asc' },
        } as const;
        await makeSearchable(cli, client, { ...selection, of: 'webhooks' });
        await cli.out.list<WebhookRow>({
          columns,
          fields: Object.keys(webhookRow.shape),
          pages: pagesOf(options, (place) => client.webhooks.list({ ...selection, ...place })),
          footer: pageFooter('webhooks'),
          empty: 'No webhook fits. What is held, and how fresh it is: tieout status',
        });
        await sayMissing(cli, client, { site, part: 'webhooks' });
      }),
    );

  command
    .command('show')
    .description('Show a webhook: fields, decoded body, errors, our replays of it.')
    .argument('<id>', 'the webhook', serviceId)
    .action(
      act(async (cli, id: number) => {
        const { client, site } = await cli.session.local();
        const webhook = await client.webhooks.get({ site, id });
        await cli.out.document(webhook, () => webhookLines(webhook));
      }),
    );

  filterOptions(
    command.command('errors').description('Webhooks that were not accepted, grouped by their error.'),
  ).action(
    act.list(async (cli, options: FilterOptions) => {
      const { client, site } = await cli.session.local();
      const { errorGroup } = await import('../../contract/webhooks.ts');
      const filter = webhookFilter(options);
      await makeSearchable(cli, client, { site, of: 'webhooks', filter });
      const groups = await client.webhooks.errors({ site, filter });
      await cli.out.list<ErrorGroup>({
        columns: errorColumns,
        fields: Object.keys(errorGroup.shape),
        pages: [{ rows: groups, next: null }],
        empty: 'No webhook with an error fits.',
      });
      await sayMissing(cli, client, { site, part: 'webhooks' });
    }),
  );

  command
    .command('outages')
    .description('When the endpoint did not take what was sent, the newest first; and holes in the log.')
    .option('--limit <n>', 'at most so many', whole(1, 500), 100)
    .action(
      act.list(async (cli, { limit }: { limit: number }) => {
        const { client, site } = await cli.session.local();
        const { outage } = await import('../../contract/webhooks.ts');
        const { outages, more } = await client.webhooks.outages({ site, limit });
        await cli.out.list<Outage>({
          columns: outageColumns,
          fields: Object.keys(outage.shape),
          pages: [{ rows: outages, next: null }],
          footer: () =>
            `${more > 0 ? `${count(more)} older ones are not listed.\n` : ''}Plan one with: tieout replay plan --outage ID`,
          empty: 'The log shows no outage.',
        });
        await sayMissing(cli, client, { site, part: 'webhooks' });
      }),
    );
};

const columns: Column<WebhookRow>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'event', cell: ({ event }) => event, least: 16 },
  { header: 'delivery', cell: ({ delivery }) => delivery },
  { header: 'created', cell: ({ created_at }) => minute(created_at) },
  { header: 'last sent', cell: ({ last_sent_at }) => minute(last_sent_at), spare: true },
  { header: 'subscription', cell: ({ subscription_id }) => subscription_id, align: 'right' },
  { header: 'error', cell: ({ last_error }) => last_error, least: 20 },
];

const errorColumns: Column<ErrorGroup>[] = [
  { header: 'count', cell: (group) => count(group.count), align: 'right' },
  { header: 'error', cell: ({ error }) => error, least: 24 },
  { header: 'first', cell: ({ first_at }) => minute(first_at) },
  { header: 'last', cell: ({ last_at }) => minute(last_at) },
  { header: 'address', cell: ({ urls }) => urls.map(({ url }) => url).join(' '), least: 16, spare: true },
];

const kinds = { failures: 'failures', never_sent: 'never sent', hole: 'hole in the log' } as const;

const outageColumns: Column<Outage>[] = [
  { header: 'outage', cell: ({ id }) => id },
  { header: 'what', cell: ({ kind, ongoing }) => `${kinds[kind]}${ongoing ? ', still so' : ''}` },
  { header: 'from (UTC)', cell: ({ from }) => minute(from) },
  { header: 'to (UTC)', cell: ({ to }) => minute(to) },
  { header: 'failed', cell: ({ failed }) => count(failed), align: 'right' },
  { header: 'pending', cell: ({ pending }) => count(pending), align: 'right' },
  { header: 'accepted', cell: ({ accepted }) => count(accepted), align: 'right', spare: true },
  { header: 'error', cell: ({ error }) => error, least: 16 },
  { header: 'address', cell: ({ url }) => url, least: 16, spare: true },
];

/** A webhook for reading. */
function webhookLines(webhook: WebhookDetail): string[] {
  const { fields, replays } = webhook;
  return [
    ...pairLines([
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
      ['read at', webhook.synced_at],
    ]),
    '',
    'body',
    ...pairLines(fields.map(({ key, value }) => [`  ${key}`, value] as const)),
    ...(replays.length === 0 ? [] : ['', 'replays']),
    ...replays.map(({ job, outcome, sent_at }) => `  ${minute(sent_at)}  ${outcome}  (${job})`),
  ];
}
