import { createHash, randomBytes } from 'node:crypto';
import { contractError, type Inputs, type ReplayPlan } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addPlan, addPlanItem, deferReferences } from '../store/replay/replay.ts';
import { candidatesAt, candidatesOf } from '../store/replay/replay-candidates.ts';
import { usualTime } from '../store/replay/replay-figures.ts';
import { replayPlan } from '../store/replay/replay-list.ts';
import { commit, snapshot } from '../store/sqlite/connection.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { WEBHOOK_SETTLING_MS } from '../sync/webhooks/webhook-store.ts';
import { createPlanSummaryBuilder } from './plan-summary.ts';
import { describeReplaySelection } from './selection-description.ts';
import { isRetryExpected, retryExpectedUntil } from './service-retries.ts';

type PlanInput = Pick<Inputs['replay']['plan'], 'selection' | 'include_accepted'>;

/**
 * Freezes a selection of webhooks into a plan in one pass over the stored log. Leaves out unknown webhooks, and accepted
 * ones unless they are requested. Counts webhooks that the service itself still retries; a replay waits for these
 * retries.
 */
export function createReplayPlan(
  { cache, books }: OpenSite,
  site: string,
  input: PlanInput,
  now: number,
  words?: { description: string },
): ReplayPlan {
  const skew = partState<{ skew?: number }>(cache, 'webhooks')?.checkpoint.skew ?? 0;
  const { selection, include_accepted = false } = input;
  const id = `${now.toString(36)}-${randomBytes(3).toString('hex')}`;
  const ids = 'ids' in selection ? [...new Set(selection.ids)] : null;
  const summary = createPlanSummaryBuilder();
  const sha = createHash('sha256');

  commit(books, () => {
    deferReferences(books);
    snapshot(cache, () => {
      // Webhook ids chosen by a person may be in any order. A plan is always sent oldest first.
      const candidates =
        'ids' in selection ? candidatesAt(cache, ids ?? []) : candidatesOf(cache, selection.filter);
      for (const each of candidates) {
        if (each.delivery === 0 && !include_accepted) summary.leaveOut('accepted');
        else {
          if (isRetryExpected(each, now + skew, WEBHOOK_SETTLING_MS)) {
            summary.retrying(retryExpectedUntil(each, WEBHOOK_SETTLING_MS) - skew);
          }
          sha.update(summary.count() === 0 ? `${each.webhook_id}` : `\n${each.webhook_id}`);
          addPlanItem(books, id, summary.count(), each);
          summary.add(each);
        }
      }
    });
    if (ids !== null) summary.leaveOut('unknown', ids.length - summary.seen());
    addPlan(books, {
      id,
      created_at: now,
      description: words?.description ?? describeReplaySelection(selection, include_accepted),
      count: summary.count(),
      ids_sha256: sha.digest('hex'),
      summary: summary.summary(usualTime(books)),
    });
  });
  return replayPlan(books, site, id) as ReplayPlan;
}

/** Returns a stored replay plan. Throws `not_found` if it does not exist. */
export function requireReplayPlan({ books }: OpenSite, site: string, plan: string): ReplayPlan {
  const found = replayPlan(books, site, plan);
  if (found !== null) return found;
  throw contractError({
    code: 'not_found',
    message: `${site} has no replay plan ${plan}.`,
    hint: 'Create a plan first.',
    retryable: false,
  });
}
