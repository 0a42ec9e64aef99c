import type { ContractInputs } from '../../../contract/contract.ts';
import type { SubscriptionRow } from '../../../contract/subscriptions/subscriptions.ts';
import { type ListOptions, parseServiceId, toListRequest } from '../../input/options.ts';
import { formatMoney, formatNumber } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import {
  createCountColumn,
  createMoneyColumn,
  formatLabeledValues,
  type TableColumn,
} from '../../output/table.ts';
import type { StoredSite } from '../../runtime/app-session.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';

type ListInput = ContractInputs['subscriptions']['list'];

export const defineSubscriptionCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List subscriptions found in statements and webhooks')
    .pageOptions()
    .option('--search <text>', 'search for customers, or for an ID')
    .sortOptions(['subscription_id', 'customer_name', 'balance_in_cents'], 'asc')
    .listOnSite(async (context, options: ListOptions<ListInput>) => {
      const { client, site, details } = context;
      const query = { site, ...toListRequest<ListInput>(options) };
      await printList(context, options, {
        columns: createColumns(details),
        fields: async () =>
          (await import('../../../contract/subscriptions/subscriptions.ts')).subscriptionRowSchema,
        fetchPage: (page) => client.subscriptions.list({ ...query, ...page }),
        noun: 'subscriptions',
        empty: 'No subscriptions found. See what is stored with: tieout status',
      });
      await printMissingDataNote(context, 'statements');
    });

  command
    .subcommand('show', 'Show a subscription with its latest statements and components')
    .argument('<id>', 'ID of the subscription', parseServiceId)
    .runOnSite(showSubscription);
};

async function showSubscription(
  { client, site, details, output }: SiteContext,
  subscription_id: number,
): Promise<void> {
  const filter = { subscription_id };
  const [subscription, { rows: statements }, { rows: components }] = await Promise.all([
    client.subscriptions.get({ site, subscription_id }),
    client.statements.list({ site, filter, limit: 12 }),
    client.allocations.components({ site, filter, limit: 100 }),
  ]);
  await output.document({ ...subscription, latest_statements: statements, components }, () => [
    formatLabeledValues([
      ['subscription', subscription.subscription_id],
      ['customer', subscription.customer_name],
      ['organization', subscription.customer_organization],
      [`balance (${details.currency})`, formatMoney(subscription.balance_in_cents)],
      ['statements', formatNumber(subscription.statements)],
      ['unpaid', formatNumber(subscription.unpaid)],
      ['last statement closed', subscription.last_closed_at],
    ]),
    statements.length > 0 && ['', 'latest statements'],
    formatLabeledValues(
      statements.map(({ id, closed_at, state, ending_balance_in_cents }) => [
        `  ${id}`,
        `${closed_at ?? 'open'}  ${state}  ${formatMoney(ending_balance_in_cents)}`,
      ]),
    ),
    components.length > 0 && ['', 'components'],
    formatLabeledValues(
      components.map(({ component_id, component_name, quantity, state, last_at }) => [
        `  ${component_id}`,
        [component_name, quantity ?? state, last_at].filter((text) => text !== null).join('  '),
      ]),
    ),
  ]);
}

const createColumns = ({ currency }: StoredSite): TableColumn<SubscriptionRow>[] => [
  { header: 'subscription', cell: (row) => row.subscription_id, align: 'right' },
  { header: 'customer', cell: (row) => row.customer_name, minWidth: 12 },
  { header: 'organization', cell: (row) => row.customer_organization, minWidth: 12, isOptional: true },
  createCountColumn('statements', (row) => row.statements),
  createCountColumn('unpaid', (row) => row.unpaid || null),
  createMoneyColumn(`balance ${currency}`, (row) => row.balance_in_cents),
];
