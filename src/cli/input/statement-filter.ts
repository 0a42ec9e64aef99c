import type { Command } from 'commander';
import type { StatementFilter, StatementState } from '../../contract/statements.ts';
import { wrongUsage } from '../failure.ts';
import { date, given, serviceId } from './options.ts';

/** The selection of statements, the same for lists and the archive. */
export interface StatementFilterOptions {
  readonly paid?: true;
  readonly unpaid?: true;
  readonly open?: true;
  readonly closed?: true;
  readonly subscription?: number;
  readonly since?: string;
  readonly until?: string;
  readonly search?: string;
}

/** The options that select statements. */
export function statementFilterOptions(command: Command): Command {
  return command
    .option('--paid', 'settled')
    .option('--unpaid', 'closed and not settled')
    .option('--open', 'not closed yet')
    .option('--closed', 'closed, settled or not')
    .option('--subscription <id>', 'only of this subscription', serviceId)
    .option(
      '--since <day>',
      'closed (while open: opened) on this day or later, in the calendar of the site',
      date,
    )
    .option('--until <day>', 'closed (while open: opened) on this day or earlier', date)
    .option('--search <text>', 'words in customer, memo or text, or a number');
}

/** The filter those options mean. @throws wrong usage where they contradict each other. */
export function statementFilter(options: StatementFilterOptions): StatementFilter {
  const { paid, unpaid, open, closed, subscription, since, until, search } = options;
  if (open && (paid || unpaid)) {
    throw wrongUsage(
      'An open statement is neither paid nor unpaid: leave out --open, or --paid and --unpaid.',
    );
  }
  const states = new Set<StatementState>();
  if (open) states.add('open');
  if (paid || (closed && !unpaid)) states.add('paid');
  if (unpaid || (closed && !paid)) states.add('unpaid');
  return {
    ...(states.size === 0 ? {} : { state: [...states] }),
    ...given({ subscription_id: subscription, since, until, search }),
  };
}
