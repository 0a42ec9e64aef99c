import type { LogState } from '../store/replay/replay.ts';
import { replayOutcome, wasReplayed } from './outcome.ts';
import { resendDelay, unresolvedDelay } from './polling.ts';
import { deliveryFields, type UnresolvedWebhook, type WebhookResolution } from './underway.ts';

/** Decisions about the unresolved webhooks. */
export interface ResolutionDecisions {
  /** Webhooks whose outcome is known, or that have waited long enough. */
  resolutions: WebhookResolution[];
  /** Uncertain webhooks that were sent after all. */
  certain: UnresolvedWebhook[];
  /** Uncertain webhooks that were not sent and are posted again. */
  again: UnresolvedWebhook[];
}

/**
 * Decides about each unresolved webhook from the log. A webhook missing from `seen` is undecided unless `all` pages were
 * read. Every delay is multiplied by `waits`.
 */
export function decideUnresolved(
  in_flight: readonly UnresolvedWebhook[],
  { seen, all }: { seen: ReadonlyMap<number, LogState>; all: boolean },
  now: number,
  usual: number | null,
  waits: number,
): ResolutionDecisions {
  const verdict: ResolutionDecisions = { resolutions: [], certain: [], again: [] };
  for (const each of in_flight) {
    const { item, posted_at, doubtful } = each;
    const state = seen.get(item.webhook_id);
    const waited = (now - posted_at) / waits;
    if (state !== undefined) {
      const before = deliveryFields(item.before);
      const after = deliveryFields(state);
      const outcome = replayOutcome(before, after);
      if (outcome !== 'queued') {
        verdict.resolutions.push({ item, outcome, last_error: state.last_error });
        continue;
      }
      if (doubtful && wasReplayed(before, after)) {
        verdict.certain.push(each);
        continue;
      }
      if (doubtful && waited > resendDelay(usual)) {
        verdict.again.push(each);
        continue;
      }
    }
    if ((state !== undefined || all) && waited > unresolvedDelay(usual)) {
      const last_error = doubtful
        ? 'it cannot be told whether the service took it: its answer was lost, and the log does not show the webhook'
        : 'nothing was heard of it in time';
      verdict.resolutions.push({ item, outcome: 'unresolved', last_error });
    }
  }
  return verdict;
}
