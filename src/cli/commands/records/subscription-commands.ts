import type { SubscriptionRow } from '../../../contract/subscriptions/subscriptions.ts';
import { addPageOptions, createChoiceOption, type PageOptions, parseServiceId } from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatMoney, formatNumber } from '../../output/format-values.ts';
import { formatLabeledValues, type TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import type { StoredSite } from '../../runtime/environment.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';

interface SubscriptionListOptions extends PageOptions {
  readonly search?: string;
  readonly sort: 'subscription_id' | 'customer_name' | 'balance_in_cents';
  readonly direction: 'asc' | 'desc';
}

export const defineSubscriptionCommands: DefineCommand = (command, handle) => {
  addPageOptions(command.command('list').description('List subscriptions found in statements and webhooks'))
    .option('--search <text>', 'search customers, or enter an ID')
    .addOption(
      createChoiceOption('--sort <field>', 'order by', [
        'subscription_id',
        'customer_name',
        'balance_in_cents',
      ]).default('subscription_id'),
    )
    .addOption(createChoiceOption('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('asc'))
    .action(
      handle.list(async (cli, options: SubscriptionListOptions) => {
        const { client, site, details } = await cli.session.openSite();
        const { subscriptionRowSchema } = await import('../../../contract/subscriptions/subscriptions.ts');
        const { search, sort: by, direction } = options;
        const query = {
          site,
          filter: search === undefined ? {} : { search },
          sort: { by, direction },
        };
        await cli.output.list<SubscriptionRow>({
          columns: columns(details),
          fields: Object.keys(subscriptionRowSchema.shape),
          pages: fetchPages(options, (page) => client.subscriptions.list({ ...query, ...page })),
          footer: createPageFooter('subscriptions'),
          empty: 'No subscriptions found. See what is stored with: tieout status',
        });
        await printMissingDataNote(cli, client, { site, part: 'statements' });
      }),
    );

  command
    .command('show')
    .description('Show a subscription with its latest statements and components')
    .argument('<id>', 'ID of the subscription', parseServiceId)
    .action(
      handle(async (cli, subscription_id: number) => {
        const { client, site, details } = await cli.session.openSite();
        const filter = { subscription_id };
        const [subscription, statements, components] = await Promise.all([
          client.subscriptions.get({ site, subscription_id }),
          client.statements.list({ site, filter, limit: 12 }),
          client.allocations.components({ site, filter, limit: 100 }),
        ]);
        const document = { ...subscription, latest_statements: statements.rows, components: components.rows };
        await cli.output.document(document, () => [
          ...formatLabeledValues([
            ['subscription', subscription.subscription_id],
            ['customer', subscription.customer_name],
            ['organization', subscription.customer_organization],
            [`balance (${details.currency})`, formatMoney(subscription.balance_in_cents)],
            ['statements', formatNumber(subscription.statements)],
            ['unpaid', formatNumber(subscription.unpaid)],
            ['last statement closed', subscription.last_closed_at],
          ]),
          ...(statements.rows.length > 0 ? ['', 'latest statements'] : []),
          ...formatLabeledValues(
            statements.rows.map((statement) => [
              `  ${statement.id}`,
              `${statement.closed_at ?? 'open'}  ${statement.state}  ${formatMoney(statement.ending_balance_in_cents)}`,
            ]),
          ),
          ...(components.rows.length > 0 ? ['', 'components'] : []),
          ...formatLabeledValues(
            components.rows.map((component) => [
              `  ${component.component_id}`,
              [component.component_name, component.quantity ?? component.state, component.last_at]
                .filter((text) => text !== null)
                .join('  '),
            ]),
          ),
        ]);
      }),
    );
};

const columns = ({ currency }: StoredSite): TableColumn<SubscriptionRow>[] => [
  { header: 'subscription', cell: (row) => row.subscription_id, align: 'right' },
  { header: 'customer', cell: (row) => row.customer_name, minWidth: 12 },
  { header: 'organization', cell: (row) => row.customer_organization, minWidth: 12, isOptional: true },
  { header: 'statements', cell: (row) => formatNumber(row.statements), align: 'right' },
  { header: 'unpaid', cell: (row) => (row.unpaid === 0 ? '' : formatNumber(row.unpaid)), align: 'right' },
  { header: `balance ${currency}`, cell: (row) => formatMoney(row.balance_in_cents), align: 'right' },
];
