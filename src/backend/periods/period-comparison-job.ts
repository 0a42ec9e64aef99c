import type { Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { findDecisionDamage } from '../books-verification/decision-damage.ts';
import { compareRowsOfClosedPeriods } from '../changes-since-sign-off/compare-closed-rows.ts';
import { detectChangesSinceSignOff } from '../changes-since-sign-off/detect-changes-since-sign-off.ts';
import { runInTimeSlices } from '../shared/time-slices.ts';
import { listClosedFiguresInForce } from '../store/periods/closed-figures.ts';
import type { PeriodContext } from './period-sign-off-steps.ts';
import { findSignOffDamage } from './sign-off-damage.ts';

/** Starts a job that compares all closed rows with the records, and all sign-off data with its digests. */
export function startPeriodComparisonJob(tools: PeriodContext, site: string): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'period',
    noun: 'a comparison with the closed figures',
    books: open.books,
    async run(job) {
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
      return [`${rows} closed rows compared: ${recordedText}.`, ...damage].join(' ');
    },
  });
}
