import type { Job } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import { inTurns } from '../steps.ts';
import { sealsInForce } from '../store/periods/period-seal.ts';
import { compareAll } from './compare.ts';
import { damageSteps } from './damage.ts';
import { notice } from './notice.ts';
import type { PeriodTools } from './sign.ts';

/** Holds every row of the closed periods against its seal, and all that is kept of the sign-offs against their digests, as a job. */
export function startComparison(tools: PeriodTools, site: string): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'period',
    what: 'a comparison with what was signed',
    books: open.books,
    async run(job) {
      const cause = { what: 'comparison', job: job.id, at: tools.now() };
      let rows = 0;
      const progress = (done: number) => {
        rows = done;
        job.progress('rows', { done });
      };
      const noted =
        (await compareAll(open, { cause, signal: job.signal, progress })) +
        (await notice(open, cause, job.signal));
      const damage: string[] = [];
      for (const seal of sealsInForce(open.books)) {
        damage.push(...(await inTurns(damageSteps(open.books, seal.period, seal))));
        job.signal.throwIfAborted();
      }
      tools.changes.tell(site, 'periods');
      const found = noted === 0 ? 'nothing new differs' : `${counted(noted, 'difference')} noted`;
      return [`${rows} sealed rows compared: ${found}.`, ...damage].join(' ');
    },
  });
}
