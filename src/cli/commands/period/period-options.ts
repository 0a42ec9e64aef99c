import type { PeriodDetail } from '../../../contract/periods/periods.ts';
import { type ExitCode, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatPeriodDetail } from '../../formatters/periods.ts';
import { parseMonth } from '../../input/options.ts';
import type { CommandOutput } from '../../output/command-output.ts';
import type { CliCommand } from '../../runtime/cli-command.ts';

export interface PeriodOptions {
  readonly period: string;
}

export function addPeriodOption(command: CliCommand): void {
  command.requiredOption('--period <month>', 'period as YYYY-MM', parseMonth);
}

/** Prints a period. Returns exit code 1 if the stored closed figures are damaged. */
export async function printPeriodDetail(output: CommandOutput, period: PeriodDetail): Promise<ExitCode> {
  await output.document(period, () => formatPeriodDetail(period));
  return getSuccessExitCode(period.remarks.every(({ kind }) => kind !== 'damaged'));
}
