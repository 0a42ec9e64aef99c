import { contractError } from '../../contract/index.ts';
import type { CommandContext } from './command-context.ts';

/** Dependencies for decisions on bank lines, matches and periods. */
export type DecisionContext = Pick<CommandContext, 'stores' | 'jobs' | 'locks' | 'changes' | 'user' | 'now'>;

/** Throws `conflict` while an import or a matching run is changing the data to be decided on. */
export function requireIdle({ jobs }: Pick<DecisionContext, 'jobs'>, site: string): void {
  const job = jobs.running(site, 'import') ?? jobs.running(site, 'match');
  if (job === null) return;
  const what = job.kind === 'import' ? 'An import' : 'The matching';
  throw contractError({
    code: 'conflict',
    message: `${what} of ${site} is under way.`,
    hint: 'Wait until it is done, or cancel it.',
    retryable: true,
    detail: { job: job.id },
  });
}

/** Runs a change of lines or matches exclusively: no job of this or another process works on them meanwhile. */
export function runExclusively<Result>(
  tools: Pick<DecisionContext, 'jobs' | 'locks'>,
  site: string,
  what: string,
  work: () => Result,
): Result {
  requireIdle(tools, site);
  const lock = tools.locks.take(site, what);
  if ('conflict' in lock) throw contractError(lock.conflict);
  try {
    return work();
  } finally {
    lock.release();
  }
}
