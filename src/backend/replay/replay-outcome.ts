import { parseTimestamp } from '../shared/timestamps.ts';
import type { DeliveryFields } from '../store/replay/replay.ts';

/** Returns true if the second of two service timestamps is later, or if only the second one exists. */
function isLater(before: string | null, now: string | null): boolean {
  const [earlier, later] = [parseTimestamp(before), parseTimestamp(now)];
  return later !== null && (earlier === null || later > earlier);
}

/**
 * Detects the outcome of a replayed webhook from its fields in the log (interface 2.1 and 3), because the service's
 * "ok" response only means that the webhook was queued. Returns `queued` if the log shows no change since `before`.
 */
export function detectReplayOutcome(
  before: DeliveryFields,
  now: DeliveryFields,
): 'accepted' | 'failed' | 'queued' {
  const sentAgain = isLater(before.last_sent_at, now.last_sent_at);
  if (!now.successful) {
    const failedAgain =
      isLater(before.last_error_at, now.last_error_at) || (sentAgain && now.last_error !== null);
    return failedAgain ? 'failed' : 'queued';
  }
  if (parseTimestamp(now.accepted_at) === null) return 'queued';
  const acceptedAgain = sentAgain || !before.successful || isLater(before.accepted_at, now.accepted_at);
  return acceptedAgain ? 'accepted' : 'queued';
}

/** Returns true if the log shows a replay since `before`. A replay clears accepted_at immediately (interface 3). */
export function wasWebhookReplayed(before: DeliveryFields, now: DeliveryFields): boolean {
  return (
    detectReplayOutcome(before, now) !== 'queued' ||
    isLater(before.last_sent_at, now.last_sent_at) ||
    (parseTimestamp(before.accepted_at) !== null && parseTimestamp(now.accepted_at) === null)
  );
}
