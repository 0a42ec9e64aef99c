import { isStateEvent } from '../../../domain/webhooks/superseded-events.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import type { ReplayCandidate } from './replay-candidates.ts';

type Candidate = Pick<ReplayCandidate, 'webhook_id' | 'event' | 'created_at' | 'subscription_id'>;

/**
 * Returns a lookup of the newest later webhook that supersedes a webhook: same event, subscription and component. The
 * lookup returns null if there is none, or if the event's state is never replaced by a later webhook.
 */
export function createSupersedingWebhookLookup(cache: ReadableDb): (webhook: Candidate) => number | null {
  const sql = `SELECT later.id FROM webhook AS later INDEXED BY webhook_subscription JOIN webhook AS this ON this.id = ?
     WHERE later.subscription_id = ? AND later.created_at >= ? AND later.event = this.event
       AND later.component_id IS this.component_id AND (later.created_at, later.id) > (this.created_at, this.id)
     ORDER BY later.created_at DESC, later.id DESC LIMIT 1`;
  const statement = prepareSql<number>(cache, sql).pluck();
  return ({ webhook_id, event, created_at, subscription_id }) =>
    subscription_id === null || !isStateEvent(event)
      ? null
      : (statement.get(webhook_id, subscription_id, created_at) ?? null);
}
