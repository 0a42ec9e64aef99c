import type { ListAnswer, Webhook } from '../../billing/index.ts';
import { notePair } from '../store/pair.ts';
import { staleStatements, staleSubscriptions } from '../store/statementNeeds.ts';
import { saveUnit } from '../store/syncUnit.ts';
import { type HintedWebhook, upsertWebhooks } from '../store/webhook.ts';
import { heldWebhooks } from '../store/webhookPlaces.ts';
import type { SyncContext } from './context.ts';
import { located, type Problems } from './problems.ts';

/** What a page of the log brought. */
export interface StoredPage {
  ids: number[];
  /** Rows that were not held before. */
  inserted: number;
}

/**
 * Stores a page of the log with what its bodies hint at. To be called inside `commit`, with the checkpoint it goes with.
 * A row that cannot be read is kept as a problem.
 */
export function storeWebhooks(
  context: SyncContext,
  book: Problems,
  { items, problems, meta }: ListAnswer<Webhook>,
  place: string,
): StoredPage {
  const { cache } = context.site;
  const ids = items.map((item) => item.id);
  const known = heldWebhooks(cache, ids);
  const written = upsertWebhooks(cache, items, meta.started_at);
  context.tally.rows('webhook', written);
  // A webhook that was delivered again tells nothing new of what it is about.
  follow(
    context,
    written.hinted.filter(({ id }) => !known.has(id)),
    meta.started_at,
  );
  const found = located('webhooks', problems, ids, place);
  for (const each of found) book.keep(each.fullPlace, each.reason, each.raw);
  const places = new Set(found.map((each) => each.fullPlace));
  for (const id of ids) book.solve(`webhooks[id=${id}]`, places);
  return { ids, inserted: written.inserted };
}

/**
 * Notes what new webhooks tell of: a component's history that has grown, statements that may have changed. What was read
 * later than the page they came with (`readAt`) shows it already; their own times count for nothing, for clocks differ.
 */
function follow(context: SyncContext, webhooks: readonly HintedWebhook[], readAt: number): void {
  const { cache } = context.site;
  const statements = new Set<number>();
  const subscriptions = new Set<number>();
  for (const { subscription_id, component_id, component_name, statement_id } of webhooks) {
    if (statement_id !== null) statements.add(statement_id);
    if (subscription_id === null) continue;
    subscriptions.add(subscription_id);
    if (component_id === null) continue;
    const pair = { subscription_id, component_id, component_name, source: 'webhook' as const };
    notePair(cache, { ...pair, hinted_at: readAt });
  }
  for (const id of staleStatements(cache, [...statements], readAt)) noteStale(context, `statement:${id}`);
  for (const id of staleSubscriptions(cache, [...subscriptions], readAt)) {
    noteStale(context, `subscription:${id}`);
  }
}

/** Notes what is to be read again: `statement:<id>`, or `subscription:<id>` for all its statements that may change. */
export function noteStale({ site, now }: Pick<SyncContext, 'site' | 'now'>, unit: string): void {
  saveUnit(site.cache, 'statements', { unit, state: 'stale', checkpoint: null, updated_at: now() });
}
