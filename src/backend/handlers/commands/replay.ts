import { implement } from '@orpc/server';
import { contract, contractError } from '../../../contract/index.ts';
import { createReplayPlan, requireReplayPlan } from '../../replay/plan.ts';
import { planAlreadyRunError, requireReplay } from '../../replay/refusals.ts';
import { cancelReplay, pauseReplay, resumeReplay, startReplay } from '../../replay/replay.ts';
import { addAudit } from '../../store/audit-log/audit-log.ts';
import { itemsIn, removePlan, replayOfPlan } from '../../store/replay/replay.ts';
import { commit } from '../../store/sqlite/connection.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).replay;

export function replayCommands(context: WriterContext) {
  const { stores, now, changes, user, indexing } = context;

  function planned(
    site: string,
    input: Parameters<typeof createReplayPlan>[2],
    why: string | undefined,
    words?: { description: string },
  ) {
    const open = stores.open(site);
    const plan = commit(open.books, () => {
      const made = createReplayPlan(open, site, input, now(), words);
      const { count, description, ids_sha256 } = made;
      addAudit(open.books, {
        at: now(),
        user: user,
        action: 'replay.plan',
        subject: made.plan,
        reason: why ?? null,
        detail: { count, description, ids_sha256 },
      });
      return made;
    });
    changes.tell(site, 'replay', 'audit');
    return plan;
  }

  return {
    plan: on.plan.handler(async ({ input: { site, reason, ...input }, signal }) => {
      const { selection } = input;
      if ('filter' in selection && selection.filter.search !== undefined) {
        await indexing.finish(site, 'webhooks', signal);
      }
      return planned(site, input, reason);
    }),
    discardPlan: on.discardPlan.handler(({ input: { site, plan, reason } }) => {
      const open = stores.open(site);
      const { count, description } = requireReplayPlan(open, site, plan);
      const replay = replayOfPlan(open.books, plan);
      if (replay !== null) throw contractError(planAlreadyRunError(plan, replay));
      commit(open.books, () => {
        removePlan(open.books, plan);
        addAudit(open.books, {
          at: now(),
          user: user,
          action: 'replay.discardPlan',
          subject: plan,
          reason: reason ?? null,
          detail: { count, description },
        });
      });
      changes.tell(site, 'replay', 'audit');
      return {};
    }),
    run: on.run.handler(({ input }) => startReplay(context, input)),
    pause: on.pause.handler(({ input }) => pauseReplay(context, input)),
    resume: on.resume.handler(({ input }) => resumeReplay(context, input)),
    cancel: on.cancel.handler(({ input }) => cancelReplay(context, input)),
    retryFailures: on.retryFailures.handler(({ input: { site, job, reason } }) => {
      const open = stores.open(site);
      requireReplay(open, site, job);
      const failed = itemsIn(open.books, job, ['failed', 'refused', 'unresolved']);
      const ids = failed.map((item) => item.webhook_id);
      return planned(site, { selection: { ids }, include_accepted: false }, reason, {
        description: `${ids.length} that replay ${job} did not bring through`,
      });
    }),
  };
}
