import type { AllocationEntry } from '../../../contract/allocations/allocation-schema.ts';
import type { SubscriptionComponent } from '../../../contract/allocations/allocations.ts';
import { usageError } from '../../errors/cli-error.ts';
import {
  allocationHistoryColumns,
  formatSubscriptionComponent,
  subscriptionComponentColumns,
} from '../../formatters/allocations.ts';
import {
  addPageOptions,
  createChoiceOption,
  omitUndefined,
  type PageOptions,
  parseServiceId,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { defineCreateCommands } from './create-commands.ts';
import { defineDraftCommands } from './draft-commands.ts';

interface HistoryOptions extends PageOptions {
  readonly subscription: number;
  readonly component: number;
}

interface ComponentOptions extends Partial<HistoryOptions> {
  readonly state?: SubscriptionComponent['state'];
  readonly search?: string;
}

export const defineAllocationCommands: DefineCommand = (command, handle) => {
  addPageOptions(
    command
      .command('list')
      .description('List the allocation history of a subscription component, newest first'),
  )
    .requiredOption('--subscription <id>', 'ID of the subscription', parseServiceId)
    .requiredOption('--component <id>', 'ID of the component', parseServiceId)
    .addHelpText('after', '\nList the tracked components with: tieout allocations components')
    .action(
      handle.list(async (cli, options: HistoryOptions) => {
        const { client, site } = await cli.session.openSite();
        const { allocationEntrySchema } = await import('../../../contract/allocations/allocation-schema.ts');
        const { subscription, component } = options;
        const query = { site, subscription_id: subscription, component_id: component };
        await cli.output.list<AllocationEntry>({
          columns: allocationHistoryColumns,
          fields: Object.keys(allocationEntrySchema.shape),
          pages: fetchPages(options, (page) => client.allocations.list({ ...query, ...page })),
          footer: createPageFooter('allocations'),
          empty: `No allocations are stored. Track the component with: tieout allocations track --subscription ${subscription} --component ${component}`,
        });
      }),
    );

  command
    .command('track')
    .description('Track a subscription component and read its allocation history')
    .requiredOption('--subscription <id>', 'ID of the subscription', parseServiceId)
    .requiredOption('--component <id>', 'ID of the component', parseServiceId)
    .action(
      handle(async (cli, { subscription, component }: HistoryOptions) => {
        const { client, site } = await cli.session.connectSite();
        const tracked = await client.allocations.track({
          site,
          subscription_id: subscription,
          component_id: component,
        });
        if (tracked.state === 'missing') {
          throw usageError(
            `Component ${component} does not exist on subscription ${subscription}.`,
            'List the known components with: tieout allocations components',
          );
        }
        await cli.output.document(tracked, () => formatSubscriptionComponent(tracked));
      }),
    );

  defineComponents(command, handle);
  defineCreateCommands(command, handle);
  defineDraftCommands(command, handle);
};

const defineComponents: DefineCommand = (command, handle) => {
  addPageOptions(
    command.command('components').description('List the tracked components with their quantities'),
  )
    .option('--subscription <id>', 'only components of this subscription', parseServiceId)
    .option('--component <id>', 'only this component', parseServiceId)
    .addOption(
      createChoiceOption('--state <state>', 'only this state of the history', [
        'complete',
        'waiting',
        'missing',
        'problem',
      ]),
    )
    .option('--search <text>', 'search components and customers')
    .action(
      handle.list(async (cli, options: ComponentOptions) => {
        const { client, site } = await cli.session.openSite();
        const { subscriptionComponentSchema } = await import('../../../contract/allocations/allocations.ts');
        const { subscription, component, state, search } = options;
        const filter = omitUndefined({
          subscription_id: subscription,
          component_id: component,
          state,
          search,
        });
        await cli.output.list<SubscriptionComponent>({
          columns: subscriptionComponentColumns,
          fields: Object.keys(subscriptionComponentSchema.shape),
          pages: fetchPages(options, (page) => client.allocations.components({ site, filter, ...page })),
          footer: createPageFooter('components'),
          empty: 'No components are known yet. A sync finds them, or add one with: tieout allocations track',
        });
      }),
    );
};
