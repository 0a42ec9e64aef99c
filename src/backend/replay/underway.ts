import { parseInstant } from '../../billing/index.ts';
import type { ReplayOutcome } from '../../contract/index.ts';
import type { LogState, StoredItem } from '../store/replay/replay.ts';
import type { DeliveryFields } from './outcome.ts';

/** A webhook that was or may have been posted, with an unknown outcome. */
export interface UnresolvedWebhook {
  item: StoredItem;
  /** When it was posted, UTC milliseconds, local clock. */
  posted_at: number;
  /** True if the answer to the post was lost, so that it is unknown whether the webhook was queued. */
  doubtful: boolean;
}

/** The outcome of a webhook. */
export interface WebhookResolution {
  item: StoredItem;
  outcome: Extract<ReplayOutcome, 'accepted' | 'failed' | 'unresolved'>;
  last_error: string | null;
}

/** Converts the log's fields to UTC milliseconds. */
export function deliveryFields(state: LogState): DeliveryFields {
  const at = (text: string | null) => (text === null ? null : parseInstant(text));
  return {
    successful: state.successful,
    accepted_at: at(state.accepted_at),
    last_sent_at: at(state.last_sent_at),
    last_error_at: at(state.last_error_at),
    last_error: state.last_error,
  };
}
