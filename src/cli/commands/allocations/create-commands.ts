import { basename } from 'node:path';
import { parseServiceId } from '../../input/options.ts';
import { readTextInput } from '../../input/text-input.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import {
  type AllocationChangeOptions,
  addAllocationChangeOptions,
  addDraftSendOptions,
  collectQuantities,
  parseQuantity,
  toChangeFields,
} from './draft-options.ts';
import { createDraft, type DraftSendOptions } from './send-draft.ts';

interface CreateOptions extends DraftSendOptions, AllocationChangeOptions {
  readonly subscription: number;
  readonly component: number;
  readonly quantity: number | string;
}

interface CreateManyOptions extends DraftSendOptions, AllocationChangeOptions {
  readonly subscription: number;
  readonly set: [number, number | string][];
}

type ImportOptions = DraftSendOptions & { readonly oneRequest?: true };

export const defineCreateCommands: DefineCommand = (command, handle) => {
  addAllocationChangeOptions(command.command('create').description('Change the quantity of one component'))
    .requiredOption('--subscription <id>', 'ID of the subscription', parseServiceId)
    .requiredOption('--component <id>', 'ID of the component', parseServiceId)
    .requiredOption(
      '--quantity <n>',
      'new quantity; for an on/off component 1 for on, 0 for off',
      parseQuantity,
    )
    .action(
      handle(async (cli, options: CreateOptions) => {
        const change = {
          subscription_id: options.subscription,
          component_id: options.component,
          quantity: options.quantity,
          ...toChangeFields(options),
        };
        return createDraft(cli, { changes: [change] }, false, options);
      }),
    );

  addAllocationChangeOptions(
    command
      .command('create-many')
      .description('Change several components of a subscription in one request, billed as one payment'),
  )
    .requiredOption('--subscription <id>', 'ID of the subscription', parseServiceId)
    .requiredOption(
      '--set <component=quantity>',
      'component and its new quantity (repeatable)',
      collectQuantities,
    )
    .action(
      handle(async (cli, options: CreateManyOptions) => {
        const changes = options.set.map(([component_id, quantity]) => ({
          subscription_id: options.subscription,
          component_id,
          quantity,
          ...toChangeFields(options),
        }));
        return createDraft(cli, { changes }, true, options);
      }),
    );

  addDraftSendOptions(
    command
      .command('import')
      .description(
        'Change quantities from a CSV with subscription_id, component_id, quantity and optionally memo and schemes',
      )
      .argument('<file>', 'CSV file, or - for stdin')
      .option('--one-request', 'send all changes of a subscription in one request'),
  ).action(
    handle(async (cli, file: string, options: ImportOptions) => {
      const csv = await readTextInput(file);
      const name = file === '-' ? 'stdin' : basename(file);
      return createDraft(cli, { csv, name }, options.oneRequest === true, options);
    }),
  );
};
