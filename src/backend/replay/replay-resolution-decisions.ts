import type { ReplayOutcome } from '../../contract/index.ts';
import type { DeliveryFields, StoredReplayItem } from '../store/replay/replay.ts';
import { getOutcomeTimeout, getWebhookResendDelay } from './replay-delays.ts';
import { detectReplayOutcome, wasWebhookReplayed } from './replay-outcome.ts';

/** Webhook that was or may have been posted and has no known outcome yet. */
export interface UnresolvedWebhook {
  item: StoredReplayItem;
  /** Time of the post in UTC milliseconds by the local clock. */
  posted_at: number;
  /** True if the response to the post was lost, so that it is unknown whether the service has queued the webhook. */
  isUncertain: boolean;
}

export interface WebhookResolution {
  item: StoredReplayItem;
  outcome: Extract<ReplayOutcome, 'accepted' | 'failed' | 'refused' | 'unresolved'>;
  last_error: string | null;
  /** Exact times of a local delivery in UTC milliseconds: start of the request (null if not sent) and response. */
  sent_at?: number | null;
  resolved_at?: number;
}

/** Decisions about the unresolved webhooks of a replay. */
export interface ReplayDecisions {
  /** Webhooks with a known outcome, and webhooks that are recorded as unresolved after waiting too long. */
  resolutions: WebhookResolution[];
  /** Uncertain webhooks that the service had queued after all. */
  confirmedSent: UnresolvedWebhook[];
  /** Uncertain webhooks to post again because the log shows no change. */
  toResend: UnresolvedWebhook[];
}

/** Delivery states from a poll of the service's log. */
export interface DeliveryStatePoll {
  states: ReadonlyMap<number, DeliveryFields>;
  /** True if the poll read every page that may contain a polled webhook. */
  isComplete: boolean;
  /** Local time of the poll in UTC milliseconds. */
  now: number;
  /** Usual time from post to outcome in milliseconds, if known. */
  usual: number | null;
  /** Factor by which every delay is multiplied. */
  delayScale: number;
}

/** Decides what to do with each unresolved webhook after a poll of the service's log. */
export function decideOnUnresolvedWebhooks(
  unresolved: readonly UnresolvedWebhook[],
  poll: DeliveryStatePoll,
): ReplayDecisions {
  const decisions: ReplayDecisions = { resolutions: [], confirmedSent: [], toResend: [] };
  for (const webhook of unresolved) {
    const decision = decideOnUnresolvedWebhook(webhook, poll);
    if (decision === 'confirmedSent' || decision === 'toResend') decisions[decision].push(webhook);
    else if (decision !== 'wait') decisions.resolutions.push({ item: webhook.item, ...decision });
  }
  return decisions;
}

/** Decides what to do with a webhook. A webhook missing from an incomplete poll must wait. */
function decideOnUnresolvedWebhook(
  { item, posted_at, isUncertain }: UnresolvedWebhook,
  { states, isComplete, now, usual, delayScale }: DeliveryStatePoll,
): Omit<WebhookResolution, 'item'> | 'confirmedSent' | 'toResend' | 'wait' {
  const state = states.get(item.webhook_id);
  if (state === undefined && !isComplete) return 'wait';
  const waited = (now - posted_at) / delayScale;
  if (state !== undefined) {
    const outcome = detectReplayOutcome(item.before, state);
    if (outcome !== 'queued') return { outcome, last_error: state.last_error };
    if (isUncertain && wasWebhookReplayed(item.before, state)) return 'confirmedSent';
    if (isUncertain && waited > getWebhookResendDelay(usual)) return 'toResend';
  }
  if (waited <= getOutcomeTimeout(usual)) return 'wait';
  const last_error = isUncertain
    ? 'it is unknown whether the service queued it: the response was lost, and the log shows no delivery'
    : 'the log showed no outcome in time';
  return { outcome: 'unresolved', last_error };
}
