import { implement } from '@orpc/server';
import { contract, contractError } from '../../../contract/index.ts';
import { cancelReplay, pauseReplay, resumeReplay, startReplay } from '../../replay/replay.ts';
import { planAlreadyRunError, requireReplay } from '../../replay/replay-errors.ts';
import { createReplayPlan, requireReplayPlan } from '../../replay/replay-plan.ts';
import { addAudit } from '../../store/audit-log/audit-log.ts';
import { itemsIn, removePlan, replayOfPlan } from '../../store/replay/replay.ts';
import { commit } from '../../store/sqlite/connection.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).replay;

export function replayCommands(context: WriterContext) {
  const { stores, now, changes, user, indexing } = context;

  function createAuditedPlan(
    site: string,
    input: Parameters<typeof createReplayPlan>[2],
    reason: string | undefined,
    texts?: { description: string },
  ) {
    const open = stores.open(site);
    const plan = commit(open.books, () => {
      const made = createReplayPlan(open, site, input, now(), texts);
      const { count, description, ids_sha256 } = made;
      addAudit(open.books, {
        at: now(),
        user: user,
        action: 'replay.plan',
        subject: made.plan,
        reason: reason ?? null,
        detail: { count, description, ids_sha256 },
      });
      return made;
    });
    changes.emit(site, 'replay', 'audit');
    return plan;
  }

  return {
    plan: on.plan.handler(async ({ input: { site, reason, ...input }, signal }) => {
      const { selection } = input;
      if ('filter' in selection && selection.filter.search !== undefined) {
        await indexing.indexAll(site, 'webhooks', signal);
      }
      return createAuditedPlan(site, input, reason);
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
      changes.emit(site, 'replay', 'audit');
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
      return createAuditedPlan(site, { selection: { ids }, include_accepted: false }, reason, {
        description: `${ids.length} that replay ${job} did not bring through`,
      });
    }),
  };
}
