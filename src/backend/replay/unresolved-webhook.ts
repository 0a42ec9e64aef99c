import { parseInstant } from '../../billing/index.ts';
import type { ReplayOutcome } from '../../contract/index.ts';
import type { LogState, StoredItem } from '../store/replay/replay.ts';
import type { DeliveryFields } from './replay-outcome.ts';

/** Webhook that was posted, or may have been, and has no known outcome yet. */
export interface UnresolvedWebhook {
  item: StoredItem;
  /** Time of the post in UTC milliseconds by the local clock. */
  posted_at: number;
  /** True if the answer to the post was lost, so that it is unknown whether the service has queued the webhook. */
  isUncertain: boolean;
}

/** Final outcome of a webhook in a replay. */
export interface WebhookResolution {
  item: StoredItem;
  outcome: Extract<ReplayOutcome, 'accepted' | 'failed' | 'unresolved'>;
  last_error: string | null;
}

/** Converts the timestamps of a delivery state to UTC milliseconds. */
export function toDeliveryFields(state: LogState): DeliveryFields {
  const at = (text: string | null) => (text === null ? null : parseInstant(text));
  return {
    successful: state.successful,
    accepted_at: at(state.accepted_at),
    last_sent_at: at(state.last_sent_at),
    last_error_at: at(state.last_error_at),
    last_error: state.last_error,
  };
}
