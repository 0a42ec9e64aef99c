import type { Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes.ts';
import type { ChangeEvents as Told } from '../jobs/change-events.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { countDue, countUnits } from '../store/check-queue/check-due.ts';
import { type CheckOutcome, type CheckTask, checkAll, checkChanged, RulesSwitchedError } from './check.ts';
import { reasonForFullCheck } from './ground.ts';
import { extractPdfTexts } from './pdfs.ts';

export interface CheckJobContext {
  stores: SiteDatabases;
  jobs: Jobs;
  changes: Told;
  now: () => number;
  unexpected: (error: unknown, doing: string) => string;
}

/**
 * Starts a check of everything as a job. Throws `conflict` if one is running or another process is working on the site.
 */
export function startCheck(tools: CheckJobContext, site: string): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'check',
    what: 'a check',
    books: open.books,
    async run(job) {
      const outcome = await perform(tools, open, job, 'the check', true);
      await detectChangesAfterJob(tools, open, job, 'check');
      return sentence(outcome);
    },
  });
}

/**
 * Checks what another job changed, as its last step, or everything if nothing was checked yet or the rules have changed.
 * Returns a sentence about the result, or null if there was nothing to check.
 */
export async function checkAfterJob(
  tools: CheckJobContext,
  open: OpenSite,
  job: JobHandle,
  what: string,
): Promise<string | null> {
  const outcome = await perform(tools, open, job, what, reasonForFullCheck(open) !== null);
  return outcome.units === 0 ? null : sentence(outcome);
}

async function perform(
  tools: CheckJobContext,
  open: OpenSite,
  job: JobHandle,
  what: string,
  all: boolean,
): Promise<CheckOutcome> {
  const { changes, now, unexpected } = tools;
  const total = all ? countUnits(open.cache) : countDue(open.cache, now());
  if (total > 0) job.progress('check', { done: 0, total, current: null });
  const task: CheckTask = {
    site: open,
    cause: { job: job.id, name: `${what} of ${minute(now())}` },
    signal: job.signal,
    now,
    progress: (done, failed) =>
      job.progress('check', { done, failed, total: Math.max(total, done + failed) }),
    failed: (unit, error) => void unexpected(error, `checking subscription ${unit} of ${job.site}`),
    prepare: (units) => extractPdfTexts(open, units, job.signal),
  };
  try {
    return await (all ? checkAll(task) : checkChanged(task));
  } catch (error) {
    if (!(error instanceof RulesSwitchedError)) throw error;
    return await perform(tools, open, job, what, true);
  } finally {
    changes.tell(job.site, 'exceptions');
  }
}

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function sentence({ found, back, closed, changed, units, failed }: CheckOutcome): string {
  const parts = [
    [found, 'found'],
    [back, 'came back'],
    [changed, 'changed'],
    [closed, 'closed'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const subscriptions = `${formatCount(units, 'subscription')} checked`;
  const looked = failed === 0 ? subscriptions : `${subscriptions}, ${failed} could not be (see the log)`;
  return told.length === 0
    ? `${looked}, no exception new or mended.`
    : `${looked}; exceptions: ${told.join(', ')}.`;
}
