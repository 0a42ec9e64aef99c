import { matchStateLabels } from '../../../domain/labels/bank.ts';
import { createListParser } from '../../input/options.ts';
import type { CliCommand } from '../../runtime/cli-command.ts';

/** Adds the option that filters bank lines or payments by match state. */
export function addMatchStateOption(command: CliCommand): void {
  const states = Object.keys(matchStateLabels);
  const description = `only these states, comma-separated: ${states.join(', ')} (out of scope)`;
  command.option('--state <list>', description, createListParser(states));
}
