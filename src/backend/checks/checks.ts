import type { Job } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import type { Changes as Told } from '../jobs/changes.ts';
import type { JobHandle, Jobs } from '../jobs/jobs.ts';
import { noticeAfter } from '../periods/notice.ts';
import type { OpenSite, Stores } from '../sites/stores.ts';
import { countDue, countUnits } from '../store/checks/check-due.ts';
import { type CheckOutcome, type CheckTask, checkAll, checkChanged, RulesSwitched } from './check.ts';
import { staleness } from './ground.ts';
import { drawWords } from './pdfs.ts';

export interface CheckTools {
  stores: Stores;
  jobs: Jobs;
  changes: Told;
  now: () => number;
  unexpected: (error: unknown, doing: string) => string;
}

/** Starts a check of everything as a job. Throws `conflict` where one runs, or another process works on the site. */
export function startCheck(tools: CheckTools, site: string): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'check',
    what: 'a check',
    books: open.books,
    async run(job) {
      const outcome = await perform(tools, open, job, 'the check', true);
      await noticeAfter(tools, open, job, 'check');
      return sentence(outcome);
    },
  });
}

/**
 * Checks what a job of another kind changed, as its last part: everything where nothing was checked yet, or the rules are others
 * than when everything was. Gives what was found, in a sentence; null where there was nothing to check.
 */
export async function checkAfter(
  tools: CheckTools,
  open: OpenSite,
  job: JobHandle,
  what: string,
): Promise<string | null> {
  const outcome = await perform(tools, open, job, what, staleness(open) !== null);
  return outcome.units === 0 ? null : sentence(outcome);
}

async function perform(
  tools: CheckTools,
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
    prepare: (units) => drawWords(open, units, job.signal),
  };
  try {
    return await (all ? checkAll(task) : checkChanged(task));
  } catch (error) {
    if (!(error instanceof RulesSwitched)) throw error;
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
  const subscriptions = `${counted(units, 'subscription')} checked`;
  const looked = failed === 0 ? subscriptions : `${subscriptions}, ${failed} could not be (see the log)`;
  return told.length === 0
    ? `${looked}, no exception new or mended.`
    : `${looked}; exceptions: ${told.join(', ')}.`;
}
