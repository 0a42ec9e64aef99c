import { Option } from 'commander';
import { createUsageError } from '../../errors/cli-error.ts';
import type { CliCommand } from '../../runtime/cli-command.ts';

export interface SignerOptions {
  readonly by?: string;
  readonly comment?: string;
}

/** Adds the options of a command with which a person signs. */
export function addSignerOptions(command: CliCommand): void {
  command
    .option('--by <name>', 'name of the signer (default: default person, or user of this computer)')
    .option('--comment <text>', 'comment stored with the signature');
}

export interface ReviewOptions extends SignerOptions {
  readonly approve?: true;
  readonly reject?: true;
  readonly selfReview?: string;
}

/** Adds the options for a reviewer's decision. */
export function addReviewOptions(command: CliCommand): void {
  command
    .addOption(new Option('--approve', 'approve the period').conflicts('reject'))
    .option('--reject', 'send the period back to its preparer (requires --comment)')
    .option('--self-review <reason>', 'reason why the preparer reviews their own work');
}

/** Returns the reviewer's decision. Throws `validation` if there is none, or for a rejection without a comment. */
export function requireReviewVerdict({ approve, reject, comment }: ReviewOptions): 'approve' | 'reject' {
  if (approve === undefined && reject === undefined)
    throw createUsageError('The review has no decision.', 'Add --approve, or --reject with --comment.');
  if (reject && comment === undefined)
    throw createUsageError('Sending a period back requires a comment.', 'Add --comment TEXT.');
  return approve ? 'approve' : 'reject';
}
