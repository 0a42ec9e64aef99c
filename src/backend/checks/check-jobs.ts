import type { Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes-since-sign-off.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { countCheckUnits, countDueCheckUnits } from '../store/check-queue/check-queue.ts';
import { findReasonForFullCheck } from './check-inputs.ts';
import { extractPdfTexts } from './extract-pdf-texts.ts';
import {
  type CheckOutcome,
  CheckRulesChangedError,
  checkAllSubscriptions,
  checkChangedSubscriptions,
  type SiteCheckInput,
} from './run-check.ts';

type CheckJobContext = Pick<CommandContext, 'stores' | 'jobs' | 'changes' | 'now' | 'unexpected'>;

/** Starts a job that checks all records. Throws `conflict` if a check is running or another process uses the site. */
export function startCheck(context: CheckJobContext, site: string): Job {
  const open = context.stores.open(site);
  return context.jobs.start({
    site,
    kind: 'check',
    noun: 'a check',
    books: open.books,
    async run(job) {
      const outcome = await performCheck(context, open, job, { name: 'the check', isFull: true });
      await detectChangesAfterJob(context, open, job, 'check');
      return summarizeCheck(outcome);
    },
  });
}

/**
 * Checks the records that another job changed, as the job's last step. Checks all records if none have been checked yet
 * or the rules have changed. Returns a sentence about the result, or null if there was nothing to check.
 */
export async function checkAfterJob(
  context: CheckJobContext,
  open: OpenSite,
  job: JobHandle,
  causeName: string,
): Promise<string | null> {
  const isFull = findReasonForFullCheck(open) !== null;
  const outcome = await performCheck(context, open, job, { name: causeName, isFull });
  return outcome.units === 0 ? null : summarizeCheck(outcome);
}

async function performCheck(
  context: CheckJobContext,
  open: OpenSite,
  job: JobHandle,
  { name, isFull }: { name: string; isFull: boolean },
): Promise<CheckOutcome> {
  const { changes, now, unexpected } = context;
  const total = isFull ? countCheckUnits(open.cache) : countDueCheckUnits(open.cache, now());
  if (total > 0) job.progress('check', { done: 0, total, current: null });
  const task: SiteCheckInput = {
    site: open,
    cause: { job: job.id, name: `${name} of ${formatMinute(now())}` },
    signal: job.signal,
    now,
    progress: (done, failed) =>
      job.progress('check', { done, failed, total: Math.max(total, done + failed) }),
    failed: (unit, error) => void unexpected(error, `checking subscription ${unit} of ${job.site}`),
    prepare: (units) => extractPdfTexts(open, units, job.signal),
  };
  try {
    return await (isFull ? checkAllSubscriptions(task) : checkChangedSubscriptions(task));
  } catch (error) {
    if (!(error instanceof CheckRulesChangedError)) throw error;
    return await performCheck(context, open, job, { name, isFull: true });
  } finally {
    changes.emit(job.site, 'exceptions');
  }
}

const formatMinute = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function summarizeCheck({ found, back, closed, changed, units, failed }: CheckOutcome): string {
  const parts = [
    [found, 'found'],
    [back, 'came back'],
    [changed, 'changed'],
    [closed, 'closed'],
  ] as const;
  const changedCounts = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const subscriptions = `${formatCount(units, 'subscription')} checked`;
  const checkedText = failed === 0 ? subscriptions : `${subscriptions}, ${failed} failed (see the log)`;
  return changedCounts.length === 0
    ? `${checkedText}, no exception found or resolved.`
    : `${checkedText}; exceptions: ${changedCounts.join(', ')}.`;
}
