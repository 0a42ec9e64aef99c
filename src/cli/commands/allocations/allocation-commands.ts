import type { AllocationEntry } from '../../../contract/allocations/allocation-schema.ts';
import type { SubscriptionComponent } from '../../../contract/allocations/allocations.ts';
import { usageError } from '../../errors/cli-error.ts';
import {
  addPageOptions,
  choiceOption,
  omitUndefined,
  type PageOptions,
  parseServiceId,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatMinute, formatNumber } from '../../output/format-values.ts';
import { type Column, formatFields } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { defineChanges } from './draft-commands.ts';

interface AllocationListOptions extends PageOptions {
  readonly subscription?: number;
  readonly component?: number;
}

interface ComponentListOptions extends AllocationListOptions {
  readonly state?: 'complete' | 'waiting' | 'missing' | 'problem';
  readonly search?: string;
}

export const defineAllocationCommands: DefineCommand = (command, handle) => {
  addPageOptions(
    command.command('list').description('The history of a component of a subscription, newest first.'),
  )
    .requiredOption('--subscription <id>', 'the subscription', parseServiceId)
    .requiredOption('--component <id>', 'the component', parseServiceId)
    .addHelpText('after', '\nWhich ones are followed: tieout allocations components')
    .action(
      handle.list(async (cli, options: Required<AllocationListOptions>) => {
        const { client, site } = await cli.session.openSite();
        const { allocationEntry } = await import('../../../contract/allocations/allocation-schema.ts');
        const pair = { site, subscription_id: options.subscription, component_id: options.component };
        await cli.output.list<AllocationEntry>({
          columns: historyColumns,
          fields: Object.keys(allocationEntry.shape),
          pages: fetchPages(options, (place) => client.allocations.list({ ...pair, ...place })),
          footer: createPageFooter('allocations'),
          empty: `Nothing is held of it. Follow it with: tieout allocations track --subscription ${options.subscription} --component ${options.component}`,
        });
      }),
    );

  command
    .command('track')
    .description('Follow a component of a subscription from now on, and read its history at once.')
    .requiredOption('--subscription <id>', 'the subscription', parseServiceId)
    .requiredOption('--component <id>', 'the component', parseServiceId)
    .action(
      handle(async (cli, { subscription, component }: Required<AllocationListOptions>) => {
        const { client, site } = await cli.session.connectSite();
        const pair = await client.allocations.track({
          site,
          subscription_id: subscription,
          component_id: component,
        });
        if (pair.state === 'missing') {
          throw usageError(
            `The service knows no component ${component} on subscription ${subscription}.`,
            'Those that are known: tieout allocations components',
          );
        }
        await cli.output.document(pair, () => formatFields(pairFields(pair)));
      }),
    );

  addPageOptions(
    command.command('components').description('The components of subscriptions whose history is followed.'),
  )
    .option('--subscription <id>', 'only of this subscription', parseServiceId)
    .option('--component <id>', 'only of this component', parseServiceId)
    .addOption(
      choiceOption('--state <state>', 'how its history stands', [
        'complete',
        'waiting',
        'missing',
        'problem',
      ]),
    )
    .option('--search <text>', 'words of the component or the customer')
    .action(
      handle.list(async (cli, options: ComponentListOptions) => {
        const { client, site } = await cli.session.openSite();
        const { subscriptionComponent } = await import('../../../contract/allocations/allocations.ts');
        const { subscription, component, state, search } = options;
        const filter = omitUndefined({
          subscription_id: subscription,
          component_id: component,
          state,
          search,
        });
        await cli.output.list<SubscriptionComponent>({
          columns: componentColumns,
          fields: Object.keys(subscriptionComponent.shape),
          pages: fetchPages(options, (place) => client.allocations.components({ site, filter, ...place })),
          footer: createPageFooter('components of subscriptions'),
          empty:
            'None is known yet. They are learned by tieout sync, or given with: tieout allocations track',
        });
      }),
    );

  defineChanges(command, handle);
};

const historyColumns: Column<AllocationEntry>[] = [
  { header: 'time (UTC)', cell: ({ timestamp }) => timestamp },
  { header: 'quantity', cell: ({ quantity }) => quantity, align: 'right' },
  { header: 'before', cell: ({ previous_quantity }) => previous_quantity, align: 'right' },
  { header: 'upgrade', cell: (row) => row.proration_upgrade_scheme, isOptional: true },
  { header: 'downgrade', cell: (row) => row.proration_downgrade_scheme, isOptional: true },
  { header: 'chain', cell: ({ chained }) => (chained === false ? 'broken' : '') },
  { header: 'webhook', cell: ({ webhook }) => webhook?.id, isOptional: true },
  {
    header: 'charges and credits',
    cell: ({ transactions }) => transactions.map(({ id }) => id).join(' '),
    isOptional: true,
  },
  { header: 'memo', cell: ({ memo }) => memo, minWidth: 12 },
];

const componentColumns: Column<SubscriptionComponent>[] = [
  { header: 'subscription', cell: (pair) => pair.subscription_id, align: 'right' },
  { header: 'component', cell: (pair) => pair.component_id, align: 'right' },
  { header: 'name', cell: (pair) => pair.component_name, minWidth: 12 },
  { header: 'customer', cell: (pair) => pair.customer_name, minWidth: 12 },
  { header: 'quantity', cell: (pair) => pair.quantity, align: 'right' },
  { header: 'allocations', cell: (pair) => formatNumber(pair.allocations), align: 'right', isOptional: true },
  { header: 'last', cell: (pair) => formatMinute(pair.last_at) },
  { header: 'state', cell: (pair) => pair.state },
];

function pairFields(pair: SubscriptionComponent) {
  return [
    ['subscription', pair.subscription_id],
    ['component', pair.component_id],
    ['name', pair.component_name],
    ['customer', pair.customer_name],
    ['quantity', pair.quantity],
    ['allocations', formatNumber(pair.allocations)],
    ['last', pair.last_at],
    ['state', pair.state],
  ] as const;
}
