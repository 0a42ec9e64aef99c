/** What the log's fields say of one webhook's delivery; instants in ms UTC. */
export interface DeliveryFields {
  successful: boolean;
  accepted_at: number | null;
  last_sent_at: number | null;
  last_error_at: number | null;
  last_error: string | null;
}

function later(now: number | null, before: number | null): boolean {
  return now !== null && (before === null || now > before);
}

/**
 * What became of a replayed webhook, from the log's fields alone (interface 2.1 and 3); the service's "ok" says only that it
 * was queued. `queued`: nothing has happened since `before`, as far as the log shows.
 */
export function outcomeOf(before: DeliveryFields, now: DeliveryFields): 'accepted' | 'failed' | 'queued' {
  const sentAgain = later(now.last_sent_at, before.last_sent_at);
  if (now.successful && now.accepted_at !== null) {
    if (sentAgain || !before.successful || later(now.accepted_at, before.accepted_at)) return 'accepted';
  }
  if (!now.successful) {
    if (later(now.last_error_at, before.last_error_at)) return 'failed';
    if (sentAgain && now.last_error !== null) return 'failed';
  }
  return 'queued';
}

/**
 * Whether the log shows that a webhook was replayed since `before`, even if not yet delivered: a replay clears accepted_at
 * at once (interface 3). Where it shows nothing, it may still stand in the service's queue.
 */
export function wasReplayed(before: DeliveryFields, now: DeliveryFields): boolean {
  return (
    outcomeOf(before, now) !== 'queued' ||
    later(now.last_sent_at, before.last_sent_at) ||
    (before.accepted_at !== null && now.accepted_at === null)
  );
}
