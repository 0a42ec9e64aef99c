import { contractError } from '../../contract/index.ts';
import type { Changes } from '../jobs/changes.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SiteLocks } from '../jobs/site-lock.ts';
import type { Stores } from '../sites/stores.ts';
import type { Desk } from './desk.ts';

/** What imports, matching and decisions need of the writer. */
export interface BankTools {
  readonly stores: Stores;
  readonly jobs: Jobs;
  readonly locks: SiteLocks;
  readonly changes: Changes;
  readonly desk: Desk;
  readonly user: string;
  /** Our clock, ms UTC. */
  readonly now: () => number;
}

/** Throws `conflict` while an import or a run of the matching changes what is to be decided about. */
export function whileIdle({ jobs }: Pick<BankTools, 'jobs'>, site: string): void {
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

/** Does what changes lines or matches, alone: no job of this or another process works on them meanwhile. */
export function alone<Result>(tools: BankTools, site: string, what: string, work: () => Result): Result {
  whileIdle(tools, site);
  const lock = tools.locks.take(site, what);
  if ('held' in lock) throw contractError(lock.held);
  try {
    return work();
  } finally {
    lock.release();
  }
}
