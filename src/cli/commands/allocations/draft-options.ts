import { type Command, InvalidArgumentError } from 'commander';
import type { WantedChange } from '../../../contract/allocations/allocation-changes.ts';
import { createIntegerParser, omitUndefined, parseServiceId } from '../../input/options.ts';

export interface AllocationChangeOptions {
  readonly memo?: string;
  readonly upgrade?: string;
  readonly downgrade?: string;
}

/** Adds the options of commands that can send a draft. */
export function addDraftSendOptions(command: Command): Command {
  return command
    .option('--confirm', 'send the changes (default: save a draft and show it)')
    .option('--stop-after <n>', 'stop after this many failures', createIntegerParser(1), 5);
}

/** Adds the options of commands that create changes. */
export function addAllocationChangeOptions(command: Command): Command {
  return addDraftSendOptions(command)
    .option('--memo <text>', 'memo recorded with the change')
    .option(
      '--upgrade <scheme>',
      'proration of increases: prorate-delay-capture, prorate-attempt-capture or no-prorate (default: site setting)',
    )
    .option('--downgrade <scheme>', 'proration of decreases: prorate or no-prorate (default: site setting)');
}

export const toChangeFields = ({
  memo,
  upgrade,
  downgrade,
}: AllocationChangeOptions): Partial<WantedChange> =>
  omitUndefined({ memo, proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade });

/** Parses a quantity. Decimals stay as text, so that they remain exact. */
export function parseQuantity(text: string): number | string {
  if (!/^-?\d{1,40}(\.\d{1,20})?$/.test(text))
    throw new InvalidArgumentError('Expected a number, for example 8 or 2.5.');
  return Number.isSafeInteger(Number(text)) && !text.includes('.') ? Number(text) : text;
}

/** Collects the `component=quantity` pairs of a repeatable option. */
export function collectQuantities(
  text: string,
  previous: [number, number | string][] = [],
): [number, number | string][] {
  const [component = '', quantity = ''] = text.split('=');
  return [...previous, [parseServiceId(component), parseQuantity(quantity)]];
}
