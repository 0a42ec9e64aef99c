import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { makePlan } from '../../replay/plan.ts';
import { cancelReplay, pauseReplay, resumeReplay, startReplay, wantedReplay } from '../../replay/replay.ts';
import { itemsIn } from '../../store/replay.ts';
import type { WriterContext } from '../../writerContext.ts';

const on = implement(contract).replay;

export function replayCommands(context: WriterContext) {
  const { stores, now, changes } = context;
  return {
    plan: on.plan.handler(({ input }) => {
      const plan = makePlan(stores.open(input.site), input.site, input, now());
      changes.tell(input.site, 'replay');
      return plan;
    }),
    run: on.run.handler(({ input }) => startReplay(context, input)),
    pause: on.pause.handler(({ input }) => pauseReplay(context, input)),
    resume: on.resume.handler(({ input }) => resumeReplay(context, input)),
    cancel: on.cancel.handler(({ input }) => cancelReplay(context, input)),
    retryFailures: on.retryFailures.handler(({ input: { site, job } }) => {
      const open = stores.open(site);
      wantedReplay(open, site, job);
      const failed = itemsIn(open.books, job, ['failed', 'refused', 'unresolved']);
      const ids = failed.map((item) => item.webhook_id);
      const plan = makePlan(open, site, { site, selection: { ids }, include_accepted: false }, now(), {
        description: `${ids.length} that replay ${job} did not bring through`,
      });
      changes.tell(site, 'replay');
      return plan;
    }),
  };
}
