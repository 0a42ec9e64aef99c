import type { SubscriptionRow } from '../../contract/subscriptions.ts';
import type { Site } from '../act.ts';
import { choice, type ListOptions, listOptions, serviceId } from '../input/options.ts';
import { count, money } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import { type Column, pairLines } from '../output/table.ts';
import { sayMissing } from '../stands-on.ts';
import type { Define } from '../verbs.ts';

interface SubscriptionListOptions extends ListOptions {
  readonly search?: string;
  readonly sort: 'subscription_id' | 'customer_name' | 'balance_in_cents';
  readonly direction: 'asc' | 'desc';
}

export const define: Define = (command, act) => {
  listOptions(
    command.command('list').description('List the subscriptions that statements and webhooks show.'),
  )
    .option('--search <text>', 'words of the customer, or a number')
    .addOption(
      choice('--sort <field>', 'order by', ['subscription_id', 'customer_name', 'balance_in_cents']).default(
        'subscription_id',
      ),
    )
    .addOption(choice('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('asc'))
    .action(
      act.list(async (cli, options: SubscriptionListOptions) => {
        const { client, site, about } = await cli.session.local();
        const { subscriptionRow } = await import('../../contract/subscriptions.ts');
        const { search, sort: by, direction } = options;
        const selection = {
          site,
          filter: search === undefined ? {} : { search },
          sort: { by, direction },
        };
        await cli.out.list<SubscriptionRow>({
          columns: columns(about),
          fields: Object.keys(subscriptionRow.shape),
          pages: pagesOf(options, (place) => client.subscriptions.list({ ...selection, ...place })),
          footer: pageFooter('subscriptions'),
          empty: 'No subscription fits. What is held, and how fresh it is: tieout status',
        });
        await sayMissing(cli, client, { site, part: 'statements' });
      }),
    );

  command
    .command('show')
    .description('Show a subscription, its latest statements and its components.')
    .argument('<id>', 'the subscription', serviceId)
    .action(
      act(async (cli, subscription_id: number) => {
        const { client, site, about } = await cli.session.local();
        const filter = { subscription_id };
        const [subscription, statements, pairs] = await Promise.all([
          client.subscriptions.get({ site, subscription_id }),
          client.statements.list({ site, filter, limit: 12 }),
          client.allocations.pairs({ site, filter, limit: 100 }),
        ]);
        const document = { ...subscription, latest_statements: statements.rows, components: pairs.rows };
        await cli.out.document(document, () => [
          ...pairLines([
            ['subscription', subscription.subscription_id],
            ['customer', subscription.customer_name],
            ['organization', subscription.customer_organization],
            [`balance (${about.currency})`, money(subscription.balance_in_cents)],
            ['statements', count(subscription.statements)],
            ['unpaid', count(subscription.unpaid)],
            ['last closed', subscription.last_closed_at],
          ]),
          ...(statements.rows.length > 0 ? ['', 'latest statements'] : []),
          ...pairLines(
            statements.rows.map((statement) => [
              `  ${statement.id}`,
              `${statement.closed_at ?? 'open'}  ${statement.state}  ${money(statement.ending_balance_in_cents)}`,
            ]),
          ),
          ...(pairs.rows.length > 0 ? ['', 'components'] : []),
          ...pairLines(
            pairs.rows.map((pair) => [
              `  ${pair.component_id}`,
              [pair.component_name, pair.quantity ?? pair.state, pair.last_at]
                .filter((one) => one !== null)
                .join('  '),
            ]),
          ),
        ]);
      }),
    );
};

const columns = ({ currency }: Site): Column<SubscriptionRow>[] => [
  { header: 'subscription', cell: (row) => row.subscription_id, align: 'right' },
  { header: 'customer', cell: (row) => row.customer_name, least: 12 },
  { header: 'organization', cell: (row) => row.customer_organization, least: 12, spare: true },
  { header: 'statements', cell: (row) => count(row.statements), align: 'right' },
  { header: 'unpaid', cell: (row) => (row.unpaid === 0 ? '' : count(row.unpaid)), align: 'right' },
  { header: `balance ${currency}`, cell: (row) => money(row.balance_in_cents), align: 'right' },
];
