import type { ContractInputs } from '../../../contract/index.ts';
import { replayProcedures } from '../../../contract/webhooks/replay.ts';
import { formatCount } from '../../../domain/text/format-count.ts';
import { openDeliveryTarget } from '../../replay/delivery-target.ts';
import { cancelReplay, pauseReplay, resumeReplay, startReplay } from '../../replay/replay-commands.ts';
import { replayPlanAlreadyRunError, requireReplay } from '../../replay/replay-errors.ts';
import { createReplayPlan, requireReplayPlan } from '../../replay/replay-plan.ts';
import { addAuditEntry } from '../../store/audit-log/audit-log.ts';
import { findPlanEndpoint } from '../../store/replay/local-deliveries.ts';
import { findReplayForPlan, listReplayItemsByOutcome, removeReplayPlan } from '../../store/replay/replay.ts';
import { runInTransaction } from '../../store/sqlite/connection.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

export function replayCommands(context: WriterContext) {
  const { stores, now, changes, user, indexing } = context;

  async function createAuditedPlan(
    site: string,
    { reason, endpoint, ...input }: Omit<ContractInputs['replay']['plan'], 'site'>,
    description?: string,
  ) {
    const target = endpoint === undefined ? null : await openDeliveryTarget(context, site, endpoint);
    const open = stores.open(site);
    const plan = runInTransaction(open.books, () => {
      const made = createReplayPlan(open, input, { now: now(), description, target });
      const { count, description: text, ids_sha256, endpoint: address } = made;
      addAuditEntry(open.books, {
        at: now(),
        user,
        action: 'replay.plan',
        subject: made.plan,
        reason: reason ?? null,
        detail: { count, description: text, ids_sha256, ...(address !== null && { endpoint: address }) },
      });
      return made;
    });
    changes.emit(site, 'replay', 'audit');
    return plan;
  }

  return implementProcedures(replayProcedures, {
    plan: async ({ input: { site, ...input }, signal }) => {
      const { selection } = input;
      if ('filter' in selection && selection.filter.search !== undefined)
        await indexing.indexAll(site, 'webhooks', signal);
      return createAuditedPlan(site, input);
    },
    discardPlan: ({ input: { site, plan, reason } }) => {
      const open = stores.open(site);
      const { count, description } = requireReplayPlan(open, plan);
      const replay = findReplayForPlan(open.books, plan);
      if (replay !== null) throw replayPlanAlreadyRunError(plan, replay);
      runInTransaction(open.books, () => {
        removeReplayPlan(open.books, plan);
        addAuditEntry(open.books, {
          at: now(),
          user,
          action: 'replay.discardPlan',
          subject: plan,
          reason: reason ?? null,
          detail: { count, description },
        });
      });
      changes.emit(site, 'replay', 'audit');
      return {};
    },
    run: ({ input }) => startReplay(context, input),
    pause: ({ input }) => pauseReplay(context, input),
    resume: ({ input }) => resumeReplay(context, input),
    cancel: ({ input }) => cancelReplay(context, input),
    retryFailures: ({ input: { site, job, reason } }) => {
      const open = stores.open(site);
      const { plan } = requireReplay(open, job);
      const failed = listReplayItemsByOutcome(open.books, job, ['failed', 'refused', 'unresolved']);
      const ids = failed.map((item) => item.webhook_id);
      // The new plan keeps the endpoint and the delivery method of the replay.
      const endpoint = findPlanEndpoint(open.books, plan);
      const again = endpoint === null ? {} : { ...endpoint };
      return createAuditedPlan(
        site,
        { selection: { ids }, reason, ...again },
        `${formatCount(ids.length, 'webhook')} that replay ${job} did not deliver`,
      );
    },
  });
}
