import type { ContractInputs } from '../../../contract/contract.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import {
  allocationHistoryColumns,
  formatSubscriptionComponent,
  subscriptionComponentColumns,
} from '../../formatters/allocations.ts';
import { type ListOptions, type PagingOptions, parseServiceId, toListRequest } from '../../input/options.ts';
import { printList } from '../../output/print-list.ts';
import type { CliCommand, DefineCommand } from '../../runtime/cli-command.ts';
import { defineDraftCommands } from './draft-commands.ts';
import { defineDraftCreationCommands } from './draft-creation-commands.ts';

interface HistoryOptions extends PagingOptions {
  readonly subscription: number;
  readonly component: number;
}

type ComponentOptions = ListOptions<ContractInputs['allocations']['components']>;

export const defineAllocationCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List the allocation history of a subscription component, newest first')
    .pageOptions()
    .with(addSubscriptionComponentOptions)
    .addHelpText('after', '\nList the tracked components with: tieout allocations components')
    .listOnSite((context, options: HistoryOptions) => {
      const { subscription, component } = options;
      const { client, site } = context;
      const query = { site, subscription_id: subscription, component_id: component };
      return printList(context, options, {
        columns: allocationHistoryColumns,
        fields: async () =>
          (await import('../../../contract/allocations/allocation-schema.ts')).allocationDetailSchema,
        fetchPage: (page) => client.allocations.list({ ...query, ...page }),
        noun: 'allocations',
        empty: `No allocations are stored. Track the component with: tieout allocations track --subscription ${subscription} --component ${component}`,
      });
    });

  command
    .subcommand('track', 'Track a subscription component and read its allocation history')
    .with(addSubscriptionComponentOptions)
    .runConnected(async ({ client, site, output }, { subscription, component }: HistoryOptions) => {
      const ids = { subscription_id: subscription, component_id: component };
      const tracked = await client.allocations.track({ site, ...ids });
      if (tracked.state === 'missing') {
        throw createUsageError(
          `Component ${component} does not exist on subscription ${subscription}.`,
          'List the known components with: tieout allocations components',
        );
      }
      await output.document(tracked, () => formatSubscriptionComponent(tracked));
    });

  command
    .subcommand('components', 'List the tracked components with their quantities')
    .pageOptions()
    .option('--subscription <id>', 'only components of this subscription', parseServiceId)
    .option('--component <id>', 'only this component', parseServiceId)
    .choiceOption('--state <state>', 'only components with this history status', [
      'complete',
      'waiting',
      'missing',
      'problem',
    ])
    .option('--search <text>', 'search components and customers')
    .listOnSite((context, options: ComponentOptions) => {
      const { client, site } = context;
      const query = { site, ...toListRequest<ContractInputs['allocations']['components']>(options) };
      return printList(context, options, {
        columns: subscriptionComponentColumns,
        fields: async () =>
          (await import('../../../contract/allocations/allocations.ts')).subscriptionComponentSchema,
        fetchPage: (page) => client.allocations.components({ ...query, ...page }),
        noun: 'components',
        empty: 'No components are known yet. A sync finds them, or add one with: tieout allocations track',
      });
    });

  defineDraftCreationCommands(command);
  defineDraftCommands(command);
};

function addSubscriptionComponentOptions(command: CliCommand): void {
  command
    .requiredOption('--subscription <id>', 'ID of the subscription', parseServiceId)
    .requiredOption('--component <id>', 'ID of the component', parseServiceId);
}
