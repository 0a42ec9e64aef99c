import type { LogState } from '../store/replay/replay.ts';
import { replayResendDelay, replayUnresolvedDelay } from './polling-schedule.ts';
import { detectReplayOutcome, wasReplayed } from './replay-outcome.ts';
import { toDeliveryFields, type UnresolvedWebhook, type WebhookResolution } from './unresolved-webhook.ts';

/** Decisions about the unresolved webhooks of a replay. */
export interface ResolutionDecisions {
  /** Webhooks with a known outcome, and those that are recorded as unresolved because they have waited too long. */
  resolutions: WebhookResolution[];
  /** Uncertain webhooks that turned out to be sent. */
  certain: UnresolvedWebhook[];
  /** Uncertain webhooks that are posted again because the log shows no change. */
  again: UnresolvedWebhook[];
}

/**
 * Decides about each unresolved webhook from the service's log. A webhook missing from `seen` remains unresolved unless
 * all pages were read. Every delay is multiplied by `delayScale`.
 */
export function decideUnresolvedWebhooks(
  in_flight: readonly UnresolvedWebhook[],
  { seen, all }: { seen: ReadonlyMap<number, LogState>; all: boolean },
  now: number,
  usual: number | null,
  delayScale: number,
): ResolutionDecisions {
  const decisions: ResolutionDecisions = { resolutions: [], certain: [], again: [] };
  for (const each of in_flight) {
    const { item, posted_at, isUncertain } = each;
    const state = seen.get(item.webhook_id);
    const waited = (now - posted_at) / delayScale;
    if (state !== undefined) {
      const before = toDeliveryFields(item.before);
      const after = toDeliveryFields(state);
      const outcome = detectReplayOutcome(before, after);
      if (outcome !== 'queued') {
        decisions.resolutions.push({ item, outcome, last_error: state.last_error });
        continue;
      }
      if (isUncertain && wasReplayed(before, after)) {
        decisions.certain.push(each);
        continue;
      }
      if (isUncertain && waited > replayResendDelay(usual)) {
        decisions.again.push(each);
        continue;
      }
    }
    if ((state !== undefined || all) && waited > replayUnresolvedDelay(usual)) {
      const last_error = isUncertain
        ? 'it is unknown whether the service queued it: the answer was lost, and the log shows no delivery'
        : 'the log showed no outcome in time';
      decisions.resolutions.push({ item, outcome: 'unresolved', last_error });
    }
  }
  return decisions;
}
