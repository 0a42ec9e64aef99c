import type { AllocationEntry } from '../../contract/allocation.ts';
import type { AllocationPair } from '../../contract/allocations.ts';
import { wrongUsage } from '../failure.ts';
import { choice, given, type ListOptions, listOptions, serviceId } from '../input/options.ts';
import { count, minute } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import { type Column, pairLines } from '../output/table.ts';
import type { Define } from '../verbs.ts';
import { defineChanges } from './allocation-changes.ts';

interface AllocationListOptions extends ListOptions {
  readonly subscription?: number;
  readonly component?: number;
}

interface PairListOptions extends AllocationListOptions {
  readonly state?: 'held' | 'waiting' | 'missing' | 'problem';
  readonly search?: string;
}

export const define: Define = (command, act) => {
  listOptions(
    command.command('list').description('The history of a component of a subscription, newest first.'),
  )
    .requiredOption('--subscription <id>', 'the subscription', serviceId)
    .requiredOption('--component <id>', 'the component', serviceId)
    .addHelpText('after', '\nWhich ones are followed: tieout allocations pairs')
    .action(
      act.list(async (cli, options: Required<AllocationListOptions>) => {
        const { client, site } = await cli.session.local();
        const { allocationEntry } = await import('../../contract/allocation.ts');
        const pair = { site, subscription_id: options.subscription, component_id: options.component };
        await cli.out.list<AllocationEntry>({
          columns: historyColumns,
          fields: Object.keys(allocationEntry.shape),
          pages: pagesOf(options, (place) => client.allocations.list({ ...pair, ...place })),
          footer: pageFooter('allocations'),
          empty: `Nothing is held of it. Follow it with: tieout allocations track --subscription ${options.subscription} --component ${options.component}`,
        });
      }),
    );

  command
    .command('track')
    .description('Follow a component of a subscription from now on, and read its history at once.')
    .requiredOption('--subscription <id>', 'the subscription', serviceId)
    .requiredOption('--component <id>', 'the component', serviceId)
    .action(
      act(async (cli, { subscription, component }: Required<AllocationListOptions>) => {
        const { client, site } = await cli.session.remote();
        const pair = await client.allocations.track({
          site,
          subscription_id: subscription,
          component_id: component,
        });
        if (pair.state === 'missing') {
          throw wrongUsage(
            `The service knows no component ${component} on subscription ${subscription}.`,
            'Those that are known: tieout allocations pairs',
          );
        }
        await cli.out.document(pair, () => pairLines(pairFields(pair)));
      }),
    );

  listOptions(
    command.command('pairs').description('The components of subscriptions whose history is followed.'),
  )
    .option('--subscription <id>', 'only of this subscription', serviceId)
    .option('--component <id>', 'only of this component', serviceId)
    .addOption(choice('--state <state>', 'how its history stands', ['held', 'waiting', 'missing', 'problem']))
    .option('--search <text>', 'words of the component or the customer')
    .action(
      act.list(async (cli, options: PairListOptions) => {
        const { client, site } = await cli.session.local();
        const { allocationPair } = await import('../../contract/allocations.ts');
        const { subscription, component, state, search } = options;
        const filter = given({ subscription_id: subscription, component_id: component, state, search });
        await cli.out.list<AllocationPair>({
          columns: pairColumns,
          fields: Object.keys(allocationPair.shape),
          pages: pagesOf(options, (place) => client.allocations.pairs({ site, filter, ...place })),
          footer: pageFooter('components of subscriptions'),
          empty:
            'None is known yet. They are learned by tieout sync, or given with: tieout allocations track',
        });
      }),
    );

  defineChanges(command, act);
};

const historyColumns: Column<AllocationEntry>[] = [
  { header: 'time (UTC)', cell: ({ timestamp }) => timestamp },
  { header: 'quantity', cell: ({ quantity }) => quantity, align: 'right' },
  { header: 'before', cell: ({ previous_quantity }) => previous_quantity, align: 'right' },
  { header: 'upgrade', cell: (row) => row.proration_upgrade_scheme, spare: true },
  { header: 'downgrade', cell: (row) => row.proration_downgrade_scheme, spare: true },
  { header: 'chain', cell: ({ chained }) => (chained === false ? 'broken' : '') },
  { header: 'webhook', cell: ({ webhook }) => webhook?.id, spare: true },
  {
    header: 'charges and credits',
    cell: ({ transactions }) => transactions.map(({ id }) => id).join(' '),
    spare: true,
  },
  { header: 'memo', cell: ({ memo }) => memo, least: 12 },
];

const pairColumns: Column<AllocationPair>[] = [
  { header: 'subscription', cell: (pair) => pair.subscription_id, align: 'right' },
  { header: 'component', cell: (pair) => pair.component_id, align: 'right' },
  { header: 'name', cell: (pair) => pair.component_name, least: 12 },
  { header: 'customer', cell: (pair) => pair.customer_name, least: 12 },
  { header: 'quantity', cell: (pair) => pair.quantity, align: 'right' },
  { header: 'allocations', cell: (pair) => count(pair.allocations), align: 'right', spare: true },
  { header: 'last', cell: (pair) => minute(pair.last_at) },
  { header: 'state', cell: (pair) => pair.state },
];

function pairFields(pair: AllocationPair) {
  return [
    ['subscription', pair.subscription_id],
    ['component', pair.component_id],
    ['name', pair.component_name],
    ['customer', pair.customer_name],
    ['quantity', pair.quantity],
    ['allocations', count(pair.allocations)],
    ['last', pair.last_at],
    ['state', pair.state],
  ] as const;
}
