import { type ListResponse, parseInstant, type Webhook } from '../../../billing/index.ts';
import { recordSubscriptionComponent } from '../../store/allocations/subscription-component.ts';
import {
  holdsStatements,
  staleStatements,
  staleSubscriptions,
} from '../../store/statements/statement-needs.ts';
import { saveUnit } from '../../store/sync/sync-unit.ts';
import { type HintedWebhook, upsertWebhooks } from '../../store/webhooks/webhook.ts';
import type { SyncContext } from '../shared/context.ts';
import { located, type Problems } from '../shared/problems.ts';

/** What a page of the log brought. */
export interface StoredPage {
  ids: number[];
  /** Rows that were not held before, and rows that were, but otherwise. */
  inserted: number;
  changed: number;
}

/** Rows younger than this may still be joined by older ones, and may change by the service's own retries. */
export const SAFETY_LAG_MS = 600_000;

/** The name under which a row is kept that the service may still be trying: it is read again the next time. */
export const youngUnit = (id: number | string) => `young ${id}`;

/**
 * Stores a page of the log with what its bodies hint at. To be called inside `commit`, with the checkpoint it goes with.
 * A row that cannot be read is kept as a problem.
 */
export function storeWebhooks(
  context: SyncContext,
  book: Problems,
  { items, problems, meta }: ListResponse<Webhook>,
  place: string,
): StoredPage {
  const { cache } = context.site;
  const ids = items.map((item) => item.id);
  const written = upsertWebhooks(cache, items, meta.started_at);
  context.tally.rows('webhook', written);
  // A redelivered webhook says nothing new about its subject.
  follow(context, written.arrived, meta.started_at);
  const found = located('webhooks', problems, ids, place);
  for (const each of found) book.keep(each.fullPlace, each.reason, each.raw);
  const places = new Set(found.map((each) => each.fullPlace));
  book.solveRows('webhooks', ids, places);
  for (const item of items)
    if (isYoung(item, meta.server_time ?? meta.started_at)) markRow(context, youngUnit(item.id), item.id);
  return { ids, inserted: written.inserted, changed: written.changed };
}

function isYoung({ successful, created_at, last_sent_at }: Webhook, serviceNow: number): boolean {
  if (successful) return false;
  const latest = Math.max(parseInstant(created_at ?? '') ?? 0, parseInstant(last_sent_at ?? '') ?? 0);
  return latest > serviceNow - SAFETY_LAG_MS;
}

/** Stores a row's id under a name for the next run. */
export function markRow({ site, now }: SyncContext, unit: string, id: number): void {
  saveUnit(site.cache, 'webhooks', { unit, state: 'done', checkpoint: id, updated_at: now() });
}

/**
 * Marks what new webhooks report as changed: allocation histories and statements. Data read after the page (`readAt`)
 * already includes the change. The webhooks' own times are ignored, because clocks differ.
 */
function follow(context: SyncContext, webhooks: readonly HintedWebhook[], readAt: number): void {
  const { cache } = context.site;
  const statements = new Set<number>();
  const subscriptions = new Set<number>();
  for (const { event, subscription_id, component_id, component_name, statement_id } of webhooks) {
    if (statement_id !== null) statements.add(statement_id);
    if (subscription_id === null) continue;
    subscriptions.add(subscription_id);
    // Usage of a metered component names the component as well, but has no allocations.
    if (component_id === null || !event.includes('allocation')) continue;
    const component = { subscription_id, component_id, component_name, source: 'webhook' as const };
    recordSubscriptionComponent(cache, { ...component, changed_hint_at: readAt });
  }
  if (!holdsStatements(cache)) return;
  for (const id of staleStatements(cache, [...statements], readAt)) noteStale(context, `statement:${id}`);
  for (const id of staleSubscriptions(cache, [...subscriptions], readAt)) {
    noteStale(context, `subscription:${id}`);
  }
}

/** Marks data to read again: `statement:<id>`, or `subscription:<id>` for all its statements that may still change. */
export function noteStale({ site, now }: Pick<SyncContext, 'site' | 'now'>, unit: string): void {
  saveUnit(site.cache, 'statements', { unit, state: 'stale', checkpoint: null, updated_at: now() });
}
