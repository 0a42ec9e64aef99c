import type { Command } from 'commander';
import type { PeriodDetail } from '../../../contract/periods/periods.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { formatPeriodDetail } from '../../formatters/periods.ts';
import { parseMonth } from '../../input/options.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';

export interface PeriodOptions {
  readonly period: string;
}

/** Adds a subcommand that applies to one period. */
export function addPeriodCommand(command: Command, name: string, description: string): Command {
  return command
    .command(name)
    .description(description)
    .requiredOption('--period <month>', 'period as YYYY-MM', parseMonth);
}

/** Prints a period. Returns exit code 1 if the stored closed figures are damaged. */
export async function printPeriod(cli: CommandContext, period: PeriodDetail): Promise<ExitCode> {
  await cli.output.document(period, () => formatPeriodDetail(period));
  return period.remarks.some(({ kind }) => kind === 'damaged') ? exitCodes.findings : exitCodes.success;
}
