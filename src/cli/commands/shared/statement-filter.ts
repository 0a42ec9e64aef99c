import type { StatementFilter, StatementState } from '../../../contract/statements/statements.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { omitUndefined, parseDate, parseServiceId } from '../../input/options.ts';
import type { CliCommand } from '../../runtime/cli-command.ts';

/** Command options that filter statements, for lists and for the archive. */
export interface StatementFilterOptions extends Pick<StatementFilter, 'since' | 'until' | 'search'> {
  readonly paid?: true;
  readonly unpaid?: true;
  readonly open?: true;
  readonly closed?: true;
  readonly subscription?: number;
}

export function addStatementFilterOptions(command: CliCommand): void {
  command
    .option('--paid', 'only paid statements')
    .option('--unpaid', 'only closed statements that are not paid')
    .option('--open', 'only open statements')
    .option('--closed', 'only closed statements, paid or unpaid')
    .option('--subscription <id>', 'only statements of this subscription', parseServiceId)
    .option(
      '--since <date>',
      "only statements closed on or after this date (for open statements: opened), in the site's time zone",
      parseDate,
    )
    .option(
      '--until <date>',
      'only statements closed on or before this date (for open statements: opened)',
      parseDate,
    )
    .option('--search <text>', 'search for words in customers, memos and statement text, or for a number');
}

/** Converts command options to a statement filter. Throws a usage error for contradictory options. */
export function toStatementFilter(options: StatementFilterOptions): StatementFilter {
  const { paid, unpaid, open, closed, subscription, since, until, search } = options;
  if (open && (paid || unpaid)) {
    const hint = 'Remove --open, or remove --paid and --unpaid.';
    throw createUsageError('An open statement is neither paid nor unpaid.', hint);
  }
  const states = new Set<StatementState>();
  if (open) states.add('open');
  if (paid || (closed && !unpaid)) states.add('paid');
  if (unpaid || (closed && !paid)) states.add('unpaid');
  return {
    ...(states.size === 0 ? {} : { state: [...states] }),
    ...omitUndefined({ subscription_id: subscription, since, until, search }),
  };
}
