import type { ListAnswer, Webhook } from '../../billing/index.ts';
import { notePair } from '../store/pair.ts';
import { heldStatement, unsettledStatementsOf } from '../store/statementNeeds.ts';
import { saveUnit } from '../store/syncUnit.ts';
import { type HintedWebhook, upsertWebhooks } from '../store/webhook.ts';
import type { SyncContext } from './context.ts';
import { located, type Problems } from './problems.ts';

/** Part of the service's clock that is rounded away, and what its own steps may take. */
const CLOCK_SLACK_MS = 2000;

/** What a page of the log brought. */
export interface StoredPage {
  ids: number[];
  /** Rows that were not held before. */
  inserted: number;
}

/**
 * Stores a page of the log with what its bodies hint at. To be called inside `commit`, with the checkpoint it goes with.
 * A row that cannot be read is kept as a problem. `leastSkew`: see `follow`.
 */
export function storeWebhooks(
  context: SyncContext,
  book: Problems,
  { items, problems, meta }: ListAnswer<Webhook>,
  place: string,
  leastSkew: number,
): StoredPage {
  const { cache } = context.site;
  const written = upsertWebhooks(cache, items, meta.started_at);
  context.tally.rows('webhook', written);
  for (const hinted of written.hinted) follow(context, hinted, leastSkew, meta.started_at);
  const ids = items.map((item) => item.id);
  const found = located('webhooks', problems, ids, place);
  for (const each of found) book.keep(each.fullPlace, each.reason, each.raw);
  const places = new Set(found.map((each) => each.fullPlace));
  for (const id of ids) book.solve(`webhooks[id=${id}]`, places);
  return { ids, inserted: written.inserted };
}

/**
 * Notes what a webhook that is new, or has changed, tells of: a component's history that has grown, statements that may
 * have changed. `leastSkew`: the service's clock less ours, where it was least; so clocks that are set right in between
 * cannot make a change look older than it is.
 */
function follow(context: SyncContext, webhook: HintedWebhook, leastSkew: number, readAt: number): void {
  const { cache } = context.site;
  const { subscription_id, component_id, component_name, statement_id, created_at } = webhook;
  /** When it happened at the latest, by our clock: what was read later shows it already. */
  const happened = Math.min(readAt, created_at === null ? readAt : created_at - leastSkew + CLOCK_SLACK_MS);
  if (subscription_id !== null && component_id !== null) {
    const pair = { subscription_id, component_id, component_name, source: 'webhook' as const };
    notePair(cache, { ...pair, hinted_at: happened });
  }
  const stale = (statement: { read_at: number } | null) => statement !== null && statement.read_at < happened;
  if (statement_id !== null && stale(heldStatement(cache, statement_id))) {
    noteStale(context, `statement:${statement_id}`);
  }
  if (subscription_id !== null && unsettledStatementsOf(cache, subscription_id).some(stale)) {
    noteStale(context, `subscription:${subscription_id}`);
  }
}

/** Notes what is to be read again: `statement:<id>`, or `subscription:<id>` for all its statements that may change. */
export function noteStale({ site, now }: Pick<SyncContext, 'site' | 'now'>, unit: string): void {
  saveUnit(site.cache, 'statements', { unit, state: 'stale', checkpoint: null, updated_at: now() });
}
