import { contractError } from '../../contract/index.ts';
import type { CommandContext } from './command-context.ts';

/** Dependencies of commands that change bank lines, matches or periods. */
export type DecisionContext = Pick<CommandContext, 'stores' | 'jobs' | 'locks' | 'changes' | 'user' | 'now'>;

/** Throws `conflict` while an import or a matching run is changing the site's lines and matches. */
export function requireIdleSite({ jobs }: Pick<DecisionContext, 'jobs'>, site: string): void {
  const job = jobs.findRunning(site, 'import') ?? jobs.findRunning(site, 'match');
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

/** Runs a change of lines or matches while no job of any process works on them. Throws `conflict` otherwise. */
export function runExclusively<Result>(
  context: Pick<DecisionContext, 'jobs' | 'locks'>,
  site: string,
  what: string,
  work: () => Result,
): Result {
  requireIdleSite(context, site);
  const lock = context.locks.acquire(site, what);
  if ('conflict' in lock) throw contractError(lock.conflict);
  try {
    return work();
  } finally {
    lock.release();
  }
}
