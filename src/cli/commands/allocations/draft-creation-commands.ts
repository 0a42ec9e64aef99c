import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { QuantityChange } from '../../../contract/allocations/allocation-changes.ts';
import { readTextInput } from '../../input/input-files.ts';
import { createIntegerParser, omitUndefined, parseServiceId } from '../../input/options.ts';
import { type CliCommand, connectSite, type DefineCommand } from '../../runtime/cli-command.ts';
import { createAllocationDraft, type SendDraftOptions } from './send-draft.ts';

interface ChangeOptions extends SendDraftOptions {
  readonly subscription: number;
  readonly memo?: string;
  readonly upgrade?: string;
  readonly downgrade?: string;
}

interface CreateOptions extends ChangeOptions {
  readonly component: number;
  readonly quantity: number | string;
}

interface CreateManyOptions extends ChangeOptions {
  readonly set: [number, number | string][];
}

type ImportOptions = SendDraftOptions & { readonly oneRequest?: true };

export const defineDraftCreationCommands: DefineCommand = (command) => {
  command
    .subcommand('create', 'Change the quantity of one component')
    .with(addChangeOptions)
    .requiredOption('--subscription <id>', 'ID of the subscription', parseServiceId)
    .requiredOption('--component <id>', 'ID of the component', parseServiceId)
    .requiredOption(
      '--quantity <n>',
      'new quantity (for an on/off component: 1 is on, 0 is off)',
      parseQuantity,
    )
    .runConnected((context, options: CreateOptions) => {
      const changes = [toChange(options, options.component, options.quantity)];
      return createAllocationDraft(context, { from: { changes }, together: false }, options);
    });

  command
    .subcommand(
      'create-many',
      'Change several components of a subscription in one request, billed as one payment',
    )
    .with(addChangeOptions)
    .requiredOption('--subscription <id>', 'ID of the subscription', parseServiceId)
    .requiredOption(
      '--set <component=quantity>',
      'component and its new quantity (repeatable)',
      collectQuantities,
    )
    .runConnected((context, options: CreateManyOptions) => {
      const changes = options.set.map(([component, quantity]) => toChange(options, component, quantity));
      return createAllocationDraft(context, { from: { changes }, together: true }, options);
    });

  command
    .subcommand(
      'import',
      'Change quantities from a CSV file with subscription_id, component_id, quantity and optionally memo and schemes',
    )
    .argument('<file>', 'CSV file, or - for stdin')
    .option('--one-request', 'send all changes of a subscription in one request')
    .with(addSendDraftOptions)
    .run(async (cli, file: string, options: ImportOptions) => {
      const from = { csv: await readTextInput(file), name: file === '-' ? 'stdin' : basename(file) };
      const source = { from, together: options.oneRequest === true };
      return createAllocationDraft(await connectSite(cli), source, options);
    });
};

/** Adds the options of commands that can send a draft. */
export function addSendDraftOptions(command: CliCommand): void {
  command
    .option('--confirm', 'send the changes (default: save a draft and show it)')
    .option('--stop-after <n>', 'stop after this many failures', createIntegerParser(1), 5);
}

function addChangeOptions(command: CliCommand): void {
  command
    .with(addSendDraftOptions)
    .option('--memo <text>', 'memo recorded with the change')
    .option(
      '--upgrade <scheme>',
      'proration of increases: prorate-delay-capture, prorate-attempt-capture or no-prorate (default: site setting)',
    )
    .option('--downgrade <scheme>', 'proration of decreases: prorate or no-prorate (default: site setting)');
}

function toChange(
  { subscription, memo, upgrade, downgrade }: ChangeOptions,
  component_id: number,
  quantity: number | string,
): QuantityChange {
  const schemes = { proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade };
  return { subscription_id: subscription, component_id, quantity, ...omitUndefined({ memo, ...schemes }) };
}

/** Parses a quantity. Decimals stay as text, so that they remain exact. */
function parseQuantity(text: string): number | string {
  if (!/^-?\d{1,40}(\.\d{1,20})?$/.test(text))
    throw new InvalidArgumentError('Expected a number, for example 8 or 2.5.');
  return Number.isSafeInteger(Number(text)) && !text.includes('.') ? Number(text) : text;
}

/** Parses the `component=quantity` pairs of a repeatable option. */
function collectQuantities(text: string, previous: CreateManyOptions['set'] = []): CreateManyOptions['set'] {
  const [component = '', quantity = ''] = text.split('=');
  return [...previous, [parseServiceId(component), parseQuantity(quantity)]];
}
