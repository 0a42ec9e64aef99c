import { createHash, randomBytes } from 'node:crypto';
import { computeWebhookSignatures, type EndpointAddress } from '../../billing/index.ts';
import { type ContractInputs, createNonRetryableError, type ReplayPlan } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { createLocalAcceptanceLookup, readWebhookBody } from '../store/replay/local-deliveries.ts';
import { addReplayPlan, addReplayPlanItem, deferForeignKeys } from '../store/replay/replay.ts';
import {
  type ReplayCandidate,
  readReplayCandidates,
  readReplayCandidatesById,
} from '../store/replay/replay-candidates.ts';
import { findMedianDeliveryTime } from '../store/replay/replay-figures.ts';
import { getReplayPlan } from '../store/replay/replay-list.ts';
import { createSupersedingWebhookLookup } from '../store/replay/superseding-webhooks.ts';
import { runInTransaction, withReadSnapshot } from '../store/sqlite/connection.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import { WEBHOOK_SETTLING_MS } from '../sync/webhooks/store-webhook-page.ts';
import { getExpectedServiceRetryEnd, isServiceRetryExpected } from './expected-service-retries.ts';
import { findDeliveryProblem } from './local-deliveries.ts';
import { ReplayPlanSummaryBuilder } from './replay-plan-summary.ts';
import { describeReplaySelection } from './replay-selection-description.ts';

type PlanInput = Pick<
  ContractInputs['replay']['plan'],
  'selection' | 'include_accepted' | 'include_unverified'
>;

/** Endpoint of a local delivery, with the site's shared key for signing the bodies. */
export interface DeliveryTarget {
  endpoint: EndpointAddress;
  sharedKey: string;
}

interface PlanOptions {
  now: number;
  /** Description of the plan. Defaults to a description of the selection. */
  description?: string | undefined;
  /** Null if the service resends the webhooks. */
  target: DeliveryTarget | null;
}

/**
 * Freezes a selection of webhooks into a plan. Leaves out unknown webhooks, and accepted webhooks unless they are
 * requested. Webhooks that the same address accepted from a local delivery also count as accepted. A local delivery
 * leaves out bodies that must not be sent in the service's name. Counts webhooks that the service itself still retries;
 * a replay through the service waits for these retries.
 */
export function createReplayPlan(
  { cache, books, file }: OpenSite,
  input: PlanInput,
  { now, description, target }: PlanOptions,
): ReplayPlan {
  const skew = readSyncPartState<{ skew?: number }>(cache, 'webhooks')?.checkpoint.skew ?? 0;
  const { selection, include_accepted = false, include_unverified = false } = input;
  const id = `${now.toString(36)}-${randomBytes(3).toString('hex')}`;
  const ids = 'ids' in selection ? [...new Set(selection.ids)] : null;
  const summary = new ReplayPlanSummaryBuilder();
  const sha = createHash('sha256');
  const address = target?.endpoint.address ?? null;

  const findSuperseding = createSupersedingWebhookLookup(cache);
  const isAcceptedLocally = createLocalAcceptanceLookup(books);
  const isAccepted = ({ delivery, webhook_id, url }: ReplayCandidate) =>
    delivery === 0 || isAcceptedLocally(webhook_id, target?.endpoint.address ?? url);
  const findExclusion = (webhook: ReplayCandidate) => {
    if (!include_accepted && isAccepted(webhook)) return 'accepted';
    return target === null ? null : findUnsendable(cache, webhook.webhook_id, target, include_unverified);
  };
  const addToPlan = (webhook: ReplayCandidate) => {
    if (isServiceRetryExpected(webhook, now + skew, WEBHOOK_SETTLING_MS)) {
      summary.addRetrying(getExpectedServiceRetryEnd(webhook, WEBHOOK_SETTLING_MS) - skew);
    }
    sha.update(summary.count === 0 ? `${webhook.webhook_id}` : `\n${webhook.webhook_id}`);
    const superseded_by = findSuperseding(webhook);
    addReplayPlanItem(books, id, summary.count, { ...webhook, superseded_by });
    summary.add(webhook, superseded_by !== null);
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
        const exclusion = findExclusion(webhook);
        if (exclusion === null) addToPlan(webhook);
        else summary.countExcluded(exclusion);
      }
    });
    if (ids !== null) summary.countExcluded('unknown', ids.length - summary.countSeen());
    addReplayPlan(books, {
      id,
      created_at: now,
      description: description ?? describeReplaySelection(selection, include_accepted),
      count: summary.count,
      ids_sha256: sha.digest('hex'),
      summary: {
        ...summary.build(findMedianDeliveryTime(books, address), address !== null),
        ...(include_unverified && { include_unverified }),
      },
      endpoint: target?.endpoint.url ?? null,
      address,
    });
  });
  return getReplayPlan(books, file.site, id) as ReplayPlan;
}

/** Returns the reason why a stored body must not be delivered in the service's name, or null if it may be. */
function findUnsendable(
  cache: OpenSite['cache'],
  id: number,
  { sharedKey }: DeliveryTarget,
  includeUnverified: boolean,
): 'unreadable' | 'unverified' | null {
  const stored = readWebhookBody(cache, id);
  if (stored === null || findDeliveryProblem(stored, null) !== null) return 'unreadable';
  if (includeUnverified || stored.signature === null) return null;
  const signatures = computeWebhookSignatures(sharedKey, stored.body);
  return findDeliveryProblem(stored, signatures) === null ? null : 'unverified';
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
