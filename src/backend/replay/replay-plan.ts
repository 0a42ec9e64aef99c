import { createHash, randomBytes } from 'node:crypto';
import { type ContractInputs, createNonRetryableError, type ReplayPlan } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addReplayPlan, addReplayPlanItem, deferForeignKeys } from '../store/replay/replay.ts';
import {
  type ReplayCandidate,
  readReplayCandidates,
  readReplayCandidatesById,
} from '../store/replay/replay-candidates.ts';
import { findMedianDeliveryTime } from '../store/replay/replay-figures.ts';
import { getReplayPlan } from '../store/replay/replay-list.ts';
import { runInTransaction, withReadSnapshot } from '../store/sqlite/connection.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import { WEBHOOK_SETTLING_MS } from '../sync/webhooks/store-webhook-page.ts';
import { getExpectedServiceRetryEnd, isServiceRetryExpected } from './expected-service-retries.ts';
import { ReplayPlanSummaryBuilder } from './replay-plan-summary.ts';
import { describeReplaySelection } from './replay-selection-description.ts';

type PlanInput = Pick<ContractInputs['replay']['plan'], 'selection' | 'include_accepted'>;

/**
 * Freezes a selection of webhooks into a plan. Leaves out unknown webhooks, and accepted ones unless they are
 * requested. Counts webhooks that the service itself still retries; a replay waits for these retries.
 */
export function createReplayPlan(
  { cache, books, file }: OpenSite,
  input: PlanInput,
  now: number,
  texts?: { description: string },
): ReplayPlan {
  const skew = readSyncPartState<{ skew?: number }>(cache, 'webhooks')?.checkpoint.skew ?? 0;
  const { selection, include_accepted = false } = input;
  const id = `${now.toString(36)}-${randomBytes(3).toString('hex')}`;
  const ids = 'ids' in selection ? [...new Set(selection.ids)] : null;
  const summary = new ReplayPlanSummaryBuilder();
  const sha = createHash('sha256');

  const addToPlan = (webhook: ReplayCandidate) => {
    if (isServiceRetryExpected(webhook, now + skew, WEBHOOK_SETTLING_MS)) {
      summary.addRetrying(getExpectedServiceRetryEnd(webhook, WEBHOOK_SETTLING_MS) - skew);
    }
    sha.update(summary.count === 0 ? `${webhook.webhook_id}` : `\n${webhook.webhook_id}`);
    addReplayPlanItem(books, id, summary.count, webhook);
    summary.add(webhook);
  };
  runInTransaction(books, () => {
    deferForeignKeys(books);
    withReadSnapshot(cache, () => {
      // Selected ids may be in any order. A plan is always sent oldest first.
      const candidates =
        'ids' in selection
          ? readReplayCandidatesById(cache, ids ?? [])
          : readReplayCandidates(cache, selection.filter);
      for (const webhook of candidates) {
        if (webhook.delivery === 0 && !include_accepted) summary.countExcluded('accepted');
        else addToPlan(webhook);
      }
    });
    if (ids !== null) summary.countExcluded('unknown', ids.length - summary.countSeen());
    addReplayPlan(books, {
      id,
      created_at: now,
      description: texts?.description ?? describeReplaySelection(selection, include_accepted),
      count: summary.count,
      ids_sha256: sha.digest('hex'),
      summary: summary.build(findMedianDeliveryTime(books)),
    });
  });
  return getReplayPlan(books, file.site, id) as ReplayPlan;
}

/** Returns a stored replay plan. Throws `not_found` if it does not exist. */
export function requireReplayPlan({ books, file: { site } }: OpenSite, plan: string): ReplayPlan {
  const stored = getReplayPlan(books, site, plan);
  if (stored !== null) return stored;
  throw createNonRetryableError(
    'not_found',
    `Site ${site} has no replay plan ${plan}.`,
    'Create a plan first.',
  );
}
