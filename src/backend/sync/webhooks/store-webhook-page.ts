import { hash } from 'node:crypto';
import { type ListResponse, parseInstant, type Webhook } from '../../../billing/index.ts';
import { recordSubscriptionComponent } from '../../store/allocations/subscription-component.ts';
import {
  filterStaleStatements,
  filterStaleSubscriptions,
  isAnyStatementStored,
} from '../../store/statements/statements-to-fetch.ts';
import { REPLACED_WEBHOOK_REASON } from '../../store/sync/sync-problem.ts';
import { saveSyncUnit } from '../../store/sync/sync-unit.ts';
import type { ReplacedWebhook } from '../../store/webhooks/replaced-webhook.ts';
import { type HintedWebhook, upsertWebhooks } from '../../store/webhooks/webhook.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { locateReadProblems, type SyncProblemRecorder } from '../shared/sync-problems.ts';

/** Numbers and ids of the webhooks stored from a page of the log. */
export interface StoredWebhookPage {
  ids: number[];
  /** Number of new rows, and number of stored rows that have changed. */
  inserted: number;
  changed: number;
}

/** Milliseconds during which the log may still receive late rows and the service may still retry a webhook. */
export const WEBHOOK_SETTLING_MS = 600_000;

/** Returns the name of the sync unit that reads a recent webhook again, because the service may still retry it. */
export const getRecentWebhookUnitName = (id: number | string) => `young ${id}`;

/** Stores a page of the log, its problems and the changes that it reports. Must be called in a transaction. */
export function storeWebhookPage(
  context: SyncContext,
  recorder: SyncProblemRecorder,
  { items, problems, meta }: ListResponse<Webhook>,
  location: string,
): StoredWebhookPage {
  const { cache } = context.site;
  const ids = items.map((item) => item.id);
  const written = upsertWebhooks(cache, items, meta.started_at);
  context.tally.recordRows('webhook', written);
  // A webhook that was delivered again reports no new change.
  markReportedChanges(context, written.arrived, meta.started_at);
  const found = locateReadProblems('webhooks', problems, ids, location);
  for (const each of found) recorder.record(each.fieldLocation, each.reason, each.raw);
  recordReplacedWebhooks(recorder, written.replaced);
  const locations = new Set(found.map((each) => each.fieldLocation));
  recorder.clearRows('webhooks', ids, locations);
  for (const item of items)
    if (mayStillChange(item, meta.server_time ?? meta.started_at))
      saveSyncUnitForWebhook(context, getRecentWebhookUnitName(item.id), item.id);
  return { ids, inserted: written.inserted, changed: written.changed };
}

/** Records overwritten versions as problems, so that none is lost. Reading the webhook again does not clear them. */
function recordReplacedWebhooks(recorder: SyncProblemRecorder, replaced: readonly ReplacedWebhook[]): void {
  for (const version of replaced) {
    const raw = JSON.stringify(version);
    const key = hash('sha256', raw, 'hex').slice(0, 12);
    recorder.record(`webhook ${version.id}, earlier version ${key}`, REPLACED_WEBHOOK_REASON, raw);
  }
}

function mayStillChange({ successful, created_at, last_sent_at }: Webhook, serviceNow: number): boolean {
  if (successful) return false;
  const latest = Math.max(parseInstant(created_at ?? '') ?? 0, parseInstant(last_sent_at ?? '') ?? 0);
  return latest > serviceNow - WEBHOOK_SETTLING_MS;
}

/** Saves a webhook's id as a named sync unit for the next sync. */
export function saveSyncUnitForWebhook({ site, now }: SyncContext, unit: string, id: number): void {
  saveSyncUnit(site.cache, 'webhooks', { unit, state: 'done', checkpoint: id, updated_at: now() });
}

/** Marks histories and statements as stale if new webhooks report a change, unless they were read after `readAt`. */
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
  if (!isAnyStatementStored(cache)) return;
  for (const id of filterStaleStatements(cache, [...statements], readAt))
    markStatementsStale(context, `statement:${id}`);
  for (const id of filterStaleSubscriptions(cache, [...subscriptions], readAt)) {
    markStatementsStale(context, `subscription:${id}`);
  }
}

/** Marks `statement:<id>`, or the unsettled statements of `subscription:<id>`, as stale, to be read again. */
export function markStatementsStale({ site, now }: Pick<SyncContext, 'site' | 'now'>, unit: string): void {
  saveSyncUnit(site.cache, 'statements', { unit, state: 'stale', checkpoint: null, updated_at: now() });
}
