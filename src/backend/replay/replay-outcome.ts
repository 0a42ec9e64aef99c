/** Delivery fields of a webhook in the service's log. Instants are UTC milliseconds. */
export interface DeliveryFields {
  successful: boolean;
  accepted_at: number | null;
  last_sent_at: number | null;
  last_error_at: number | null;
  last_error: string | null;
}

function isLater(now: number | null, before: number | null): boolean {
  return now !== null && (before === null || now > before);
}

/**
 * Detects the outcome of a replayed webhook from the fields in the log (interface 2.1 and 3), because the service's "ok"
 * only means that it was queued. Returns `queued` if the log shows no change since `before`.
 */
export function detectReplayOutcome(
  before: DeliveryFields,
  now: DeliveryFields,
): 'accepted' | 'failed' | 'queued' {
  const sentAgain = isLater(now.last_sent_at, before.last_sent_at);
  if (now.successful && now.accepted_at !== null) {
    if (sentAgain || !before.successful || isLater(now.accepted_at, before.accepted_at)) return 'accepted';
  }
  if (!now.successful) {
    if (isLater(now.last_error_at, before.last_error_at)) return 'failed';
    if (sentAgain && now.last_error !== null) return 'failed';
  }
  return 'queued';
}

/**
 * Returns true if the log shows that a webhook was replayed since `before`, whether delivered or not. A replay clears
 * accepted_at at once (interface 3). A webhook without changes may still be in the service's queue.
 */
export function wasReplayed(before: DeliveryFields, now: DeliveryFields): boolean {
  return (
    detectReplayOutcome(before, now) !== 'queued' ||
    isLater(now.last_sent_at, before.last_sent_at) ||
    (before.accepted_at !== null && now.accepted_at === null)
  );
}
