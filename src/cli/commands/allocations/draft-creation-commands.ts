import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { QuantityChange } from '../../../contract/allocations/allocation-changes.ts';
import { prorationSchemes } from '../../../contract/allocations/proration-schemes.ts';
import { readTextInput } from '../../input/input-files.ts';
import { createIntegerParser, omitUndefined, parseServiceId } from '../../input/options.ts';
import { type CliCommand, connectSite, type DefineCommand } from '../../runtime/cli-command.ts';
import { createAllocationDraft, type SendDraftOptions } from './send-draft.ts';

interface ChangeOptions extends SendDraftOptions {
  readonly subscription: number;
  readonly memo?: string;
  readonly upgrade?: (typeof prorationSchemes.upgrade)[number];
  readonly downgrade?: (typeof prorationSchemes.downgrade)[number];
}

interface CreateOptions extends ChangeOptions {
  readonly component: number;
  readonly quantity: number;
}

interface CreateManyOptions extends ChangeOptions {
  readonly set: [number, number][];
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
      createIntegerParser(),
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

export function addSendDraftOptions(command: CliCommand): void {
  command
    .option('--confirm', 'send the changes (default: save a draft and show it)')
    .option('--stop-after <n>', 'stop after this many failures', createIntegerParser(1), 5);
}

function addChangeOptions(command: CliCommand): void {
  command
    .with(addSendDraftOptions)
    .option('--memo <text>', 'memo recorded with the change')
    .choiceOption(
      '--upgrade <scheme>',
      'proration of increases (default: site setting)',
      prorationSchemes.upgrade,
    )
    .choiceOption(
      '--downgrade <scheme>',
      'proration of decreases (default: site setting)',
      prorationSchemes.downgrade,
    );
}

function toChange(
  { subscription, memo, upgrade, downgrade }: ChangeOptions,
  component_id: number,
  quantity: number,
): QuantityChange {
  const schemes = { proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade };
  return { subscription_id: subscription, component_id, quantity, ...omitUndefined({ memo, ...schemes }) };
}

/** Parses the `component=quantity` pairs of a repeatable option. */
function collectQuantities(text: string, previous: CreateManyOptions['set'] = []): CreateManyOptions['set'] {
  const [component = '', quantity = '', ...more] = text.split('=');
  if (more.length > 0) throw new InvalidArgumentError('Expected component=quantity, for example 277221=8.');
  return [...previous, [parseServiceId(component), createIntegerParser()(quantity)]];
}
