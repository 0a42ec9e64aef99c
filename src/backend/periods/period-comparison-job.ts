import type { ContractInputs, Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { findDecisionDamage } from '../books-verification/decision-damage.ts';
import { compareRowsOfClosedPeriods } from '../changes-since-sign-off/compare-closed-rows.ts';
import { detectChangesSinceSignOff } from '../changes-since-sign-off/detect-changes-since-sign-off.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { runInTimeSlices } from '../shared/time-slices.ts';
import { listClosedFiguresInForce } from '../store/periods/closed-figures.ts';
import { getSyncRun } from '../store/sync/sync-status.ts';
import { startSync } from '../sync/start-sync.ts';
import { findSignOffDamage } from './sign-off-damage.ts';

/**
 * Starts a job that compares all closed rows with the records, and all sign-off data with its digests. With `refresh`,
 * a sync first reads the statements of closed periods again.
 */
export function startPeriodComparisonJob(
  tools: CommandContext,
  { site, refresh = false }: ContractInputs['periods']['compare'],
): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'period',
    noun: 'a comparison with the closed figures',
    books: open.books,
    async run(job) {
      const notRefreshed = refresh ? await refreshClosedPeriods(tools, job) : null;
      const cause = { action: 'comparison', job: job.id, at: tools.now() };
      let rows = 0;
      const progress = (done: number) => {
        rows = done;
        job.progress('rows', { done });
      };
      const recorded =
        (await compareRowsOfClosedPeriods(open, { cause, signal: job.signal, progress })) +
        (await detectChangesSinceSignOff(open, cause, job.signal));
      const damage = await runInTimeSlices(findDecisionDamage(open.books));
      for (const closedFigures of listClosedFiguresInForce(open.books)) {
        damage.push(
          ...(await runInTimeSlices(findSignOffDamage(open.books, closedFigures.period, closedFigures))),
        );
        job.signal.throwIfAborted();
      }
      tools.changes.emit(site, 'periods');
      const recordedText =
        recorded === 0 ? 'nothing new differs' : `${formatCount(recorded, 'difference')} noted`;
      const summary = `${rows} closed rows compared: ${recordedText}.`;
      return [...(notRefreshed === null ? [] : [notRefreshed]), summary, ...damage].join(' ');
    },
  });
}

/** Runs a sync of the closed periods' statements. Returns why not all were read, as a sentence, or null. */
async function refreshClosedPeriods(
  tools: CommandContext,
  { site, signal }: JobHandle,
): Promise<string | null> {
  const { books, cache } = tools.stores.open(site);
  if (listClosedFiguresInForce(books).length === 0) return null;
  const fail = (reason: string) => `The closed periods’ statements were not all read again: ${reason}`;
  try {
    const sync = startSync(tools, { site, only: ['statements'], closed_periods: true });
    const cancel = () => void tools.jobs.cancel(site, sync.id);
    signal.addEventListener('abort', cancel, { once: true });
    let last = sync;
    for await (const state of tools.jobs.watch(site, sync.id)) last = state;
    signal.removeEventListener('abort', cancel);
    signal.throwIfAborted();
    if (last.error !== null) return fail(last.error.message);
    return getSyncRun(cache, sync.id)?.complete === true
      ? null
      : fail(last.summary ?? 'the sync was stopped.');
  } catch (error) {
    signal.throwIfAborted();
    return fail(toErrorValue(error).message);
  }
}
