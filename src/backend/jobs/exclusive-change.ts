import { createContractError } from '../../contract/index.ts';
import type { CommandContext } from './command-context.ts';

/** Dependencies of commands that change bank lines, matches or periods. */
export type DecisionContext = Pick<CommandContext, 'stores' | 'jobs' | 'locks' | 'changes' | 'user' | 'now'>;

/** Throws `conflict` while an import or a matching run is changing the site's lines and matches. */
export function requireIdleSite({ jobs }: Pick<DecisionContext, 'jobs'>, site: string): void {
  const job = jobs.findRunning(site, 'import') ?? jobs.findRunning(site, 'match');
  if (job === null) return;
  const activity = job.kind === 'import' ? 'An import' : 'Matching';
  throw createContractError({
    code: 'conflict',
    message: `${activity} of ${site} is running.`,
    hint: 'Wait until it has finished, or cancel it.',
    retryable: true,
    detail: { job: job.id },
  });
}

/** Runs a change of bank lines or matches. Throws `conflict` if a job of any process is changing them. */
export function runExclusively<Result>(
  context: Pick<DecisionContext, 'jobs' | 'locks'>,
  site: string,
  activity: string,
  work: () => Result,
): Result {
  requireIdleSite(context, site);
  const lock = context.locks.acquire(site, activity);
  if ('conflict' in lock) throw createContractError(lock.conflict);
  try {
    return work();
  } finally {
    lock.release();
  }
}
