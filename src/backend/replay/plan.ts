import { createHash, randomBytes } from 'node:crypto';
import { contractError, type Inputs, type ReplayPlan } from '../../contract/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { commit, snapshot } from '../store/database.ts';
import { addPlan, type PlanItem, type StoredPlan } from '../store/replay.ts';
import { type Candidate, candidatesAt, candidatesOf } from '../store/replayCandidates.ts';
import { replayPlan } from '../store/replayList.ts';
import { partState } from '../store/syncUnit.ts';
import { SAFETY_LAG_MS } from '../sync/webhookStore.ts';
import { describeSelection } from './description.ts';
import { isRetrying } from './eligible.ts';
import { createSummary } from './planSummary.ts';

type Input = Inputs['replay']['plan'];

/** Items are read and written so many at a time. */
const CHUNK = 1000;

/**
 * Freezes a selection into a plan, from what is held alone. Left out are webhooks that are accepted already (unless they
 * are wanted), not known here, or still in the service's own retries.
 */
export function makePlan(
  open: OpenSite,
  site: string,
  input: Input,
  now: number,
  words?: { description: string },
): ReplayPlan {
  const { cache, books } = open;
  const skew = partState<{ skew?: number }>(cache, 'webhooks')?.checkpoint.skew ?? 0;
  const { selection, include_accepted = false } = input;
  const summary = createSummary();
  const chosen: number[] = [];

  snapshot(cache, () => {
    for (const candidates of 'ids' in selection
      ? byIds(open, selection.ids)
      : candidatesOf(cache, selection.filter)) {
      for (const each of candidates) {
        if (each.delivery === 0 && !include_accepted) summary.leaveOut('accepted');
        else if (isRetrying(each, now + skew, SAFETY_LAG_MS)) summary.leaveOut('retrying');
        else {
          summary.add(each);
          chosen.push(each.webhook_id);
        }
      }
    }
  });
  // Named ids come in no order; the plan is sent oldest first.
  if ('ids' in selection) {
    const known = new Set(selection.ids).size;
    summary.leaveOut('unknown', known - summary.seen());
  }
  const plan: StoredPlan = {
    id: `${now.toString(36)}-${randomBytes(3).toString('hex')}`,
    created_at: now,
    description: words?.description ?? describeSelection(selection, include_accepted),
    count: chosen.length,
    ids_sha256: createHash('sha256').update(chosen.join('\n')).digest('hex'),
    summary: summary.summary(),
  };
  commit(books, () => addPlan(books, plan, items(open, chosen)));
  return replayPlan(books, site, plan.id) as ReplayPlan;
}

function* byIds({ cache }: OpenSite, ids: readonly number[]): Generator<Candidate[]> {
  // All of them in one go, for the order is over all of them.
  yield candidatesAt(cache, [...new Set(ids)]);
}

function* items({ cache }: OpenSite, ids: readonly number[]): Generator<PlanItem> {
  for (let from = 0; from < ids.length; from += CHUNK)
    yield* candidatesAt(cache, ids.slice(from, from + CHUNK));
}

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
