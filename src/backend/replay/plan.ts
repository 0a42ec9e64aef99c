import { createHash, randomBytes } from 'node:crypto';
import { contractError, type Inputs, type ReplayPlan } from '../../contract/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { commit, snapshot } from '../store/database.ts';
import { addPlan, addPlanItem, deferReferences } from '../store/replay/replay.ts';
import { candidatesAt, candidatesOf } from '../store/replay/replay-candidates.ts';
import { usualTime } from '../store/replay/replay-figures.ts';
import { replayPlan } from '../store/replay/replay-list.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { SAFETY_LAG_MS } from '../sync/webhook-store.ts';
import { describeSelection } from './description.ts';
import { isRetrying, retriedUntil } from './eligible.ts';
import { createSummary } from './plan-summary.ts';

type Input = Pick<Inputs['replay']['plan'], 'selection' | 'include_accepted'>;

/**
 * Freezes a selection into a plan, from what is held alone, in one pass. Left out are webhooks that are accepted already
 * (unless they are wanted) or not known here. Those still in the service's own retries are counted: they wait when the plan is run.
 */
export function makePlan(
  { cache, books }: OpenSite,
  site: string,
  input: Input,
  now: number,
  words?: { description: string },
): ReplayPlan {
  const skew = partState<{ skew?: number }>(cache, 'webhooks')?.checkpoint.skew ?? 0;
  const { selection, include_accepted = false } = input;
  const id = `${now.toString(36)}-${randomBytes(3).toString('hex')}`;
  const ids = 'ids' in selection ? [...new Set(selection.ids)] : null;
  const summary = createSummary();
  const sha = createHash('sha256');

  commit(books, () => {
    deferReferences(books);
    snapshot(cache, () => {
      // Named ids come in no order; whatever was asked for, the plan is sent oldest first.
      const candidates =
        'ids' in selection ? candidatesAt(cache, ids ?? []) : candidatesOf(cache, selection.filter);
      for (const each of candidates) {
        if (each.delivery === 0 && !include_accepted) summary.leaveOut('accepted');
        else {
          if (isRetrying(each, now + skew, SAFETY_LAG_MS)) {
            summary.retrying(retriedUntil(each, SAFETY_LAG_MS) - skew);
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
      description: words?.description ?? describeSelection(selection, include_accepted),
      count: summary.count(),
      ids_sha256: sha.digest('hex'),
      summary: summary.summary(usualTime(books)),
    });
  });
  return replayPlan(books, site, id) as ReplayPlan;
}

/** A plan by its id. Throws `not_found`. */
export function wantedPlan({ books }: OpenSite, site: string, plan: string): ReplayPlan {
  const found = replayPlan(books, site, plan);
  if (found !== null) return found;
  throw contractError({
    code: 'not_found',
    message: `There is no replay plan ${plan} on ${site}.`,
    hint: 'Make a plan first.',
    retryable: false,
  });
}
