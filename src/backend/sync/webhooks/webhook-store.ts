import { type ListResponse, parseInstant, type Webhook } from '../../../billing/index.ts';
import { recordSubscriptionComponent } from '../../store/allocations/subscription-component.ts';
import {
  holdsStatements,
  staleStatements,
  staleSubscriptions,
} from '../../store/statements/statement-needs.ts';
import { saveUnit } from '../../store/sync/sync-unit.ts';
import { type HintedWebhook, upsertWebhooks } from '../../store/webhooks/webhook.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { locateProblems, type SyncProblems } from '../shared/sync-problems.ts';

/** Numbers and ids of the webhooks stored from a page of the log. */
export interface StoredWebhookPage {
  ids: number[];
  /** Number of new rows, and number of stored rows that have changed. */
  inserted: number;
  changed: number;
}

/**
 * Milliseconds for which the log's newest rows may still be joined by rows with an earlier creation time, and for which
 * the service may still retry a webhook.
 */
export const WEBHOOK_SETTLING_MS = 600_000;

/**
 * Returns the name of the sync unit for a webhook that the service may still be retrying. The next sync reads such
 * webhooks again.
 */
export const recentWebhookUnitName = (id: number | string) => `young ${id}`;

/**
 * Stores a page of the log and marks what its webhooks report as changed. Records a problem for each unreadable row. Must
 * be called inside `commit`, together with saving the checkpoint.
 */
export function storeWebhooks(
  context: SyncContext,
  recorder: SyncProblems,
  { items, problems, meta }: ListResponse<Webhook>,
  place: string,
): StoredWebhookPage {
  const { cache } = context.site;
  const ids = items.map((item) => item.id);
  const written = upsertWebhooks(cache, items, meta.started_at);
  context.tally.recordRows('webhook', written);
  // A webhook that was delivered again reports no new change.
  markReportedChanges(context, written.arrived, meta.started_at);
  const found = locateProblems('webhooks', problems, ids, place);
  for (const each of found) recorder.record(each.fieldLocation, each.reason, each.raw);
  const places = new Set(found.map((each) => each.fieldLocation));
  recorder.clearRows('webhooks', ids, places);
  for (const item of items)
    if (mayStillChange(item, meta.server_time ?? meta.started_at))
      saveWebhookIdUnit(context, recentWebhookUnitName(item.id), item.id);
  return { ids, inserted: written.inserted, changed: written.changed };
}

function mayStillChange({ successful, created_at, last_sent_at }: Webhook, serviceNow: number): boolean {
  if (successful) return false;
  const latest = Math.max(parseInstant(created_at ?? '') ?? 0, parseInstant(last_sent_at ?? '') ?? 0);
  return latest > serviceNow - WEBHOOK_SETTLING_MS;
}

/** Saves a webhook's id as a named sync unit for the next sync. */
export function saveWebhookIdUnit({ site, now }: SyncContext, unit: string, id: number): void {
  saveUnit(site.cache, 'webhooks', { unit, state: 'done', checkpoint: id, updated_at: now() });
}

/**
 * Marks allocation histories and statements as changed if new webhooks report it. Data read after the page (`readAt`)
 * already includes the change. The webhooks' own times are ignored, because the clocks differ.
 */
function markReportedChanges(context: SyncContext, webhooks: readonly HintedWebhook[], readAt: number): void {
  const { cache } = context.site;
  const statements = new Set<number>();
  const subscriptions = new Set<number>();
  for (const { event, subscription_id, component_id, component_name, statement_id } of webhooks) {
    if (statement_id !== null) statements.add(statement_id);
    if (subscription_id === null) continue;
    subscriptions.add(subscription_id);
    // Webhooks about metered usage name a component as well, but metered components have no allocations.
    if (component_id === null || !event.includes('allocation')) continue;
    const component = { subscription_id, component_id, component_name, source: 'webhook' as const };
    recordSubscriptionComponent(cache, { ...component, changed_hint_at: readAt });
  }
  if (!holdsStatements(cache)) return;
  for (const id of staleStatements(cache, [...statements], readAt))
    markStatementsStale(context, `statement:${id}`);
  for (const id of staleSubscriptions(cache, [...subscriptions], readAt)) {
    markStatementsStale(context, `subscription:${id}`);
  }
}

/**
 * Marks one statement (`statement:<id>`), or all statements of a subscription that may still change
 * (`subscription:<id>`), to be read again.
 */
export function markStatementsStale({ site, now }: Pick<SyncContext, 'site' | 'now'>, unit: string): void {
  saveUnit(site.cache, 'statements', { unit, state: 'stale', checkpoint: null, updated_at: now() });
}
