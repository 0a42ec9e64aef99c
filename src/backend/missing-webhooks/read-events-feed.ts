import type { BillingClient, StatementEvent } from '../../billing/index.ts';
import type { ContractInputs, ContractOutputs } from '../../contract/index.ts';
import { type FeedState, RECORD_MARGIN_MS, type TimeRange } from '../../domain/missing-webhooks/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { parseTimestamp } from '../shared/timestamps.ts';
import { isUnknownAddress } from '../site-setup/site-setup.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import { type StoredFeedEvent, saveFeedRange } from '../store/missing-webhooks/events-feed.ts';
import { findMissingWebhookRange } from './missing-webhook-range.ts';

const PER_PAGE = 200;
/** Maximum number of pages read for a time range: 100,000 events. Chosen by judgment. */
const MAX_PAGES = 500;
const DAY_MS = 86_400_000;

/**
 * Reads the service's events of a time range and stores them. A service without an events feed gives `unavailable`.
 * Throws the other errors of the service.
 */
export async function readEventsFeed(
  context: CommandContext,
  { site: name, range: requested }: ContractInputs['missingWebhooks']['readEvents'],
  signal?: AbortSignal,
): Promise<ContractOutputs['missingWebhooks']['readEvents']> {
  const site = context.stores.open(name);
  const { from, to } = findMissingWebhookRange(site.cache, requested, context.now());
  const range = { from: from - RECORD_MARGIN_MS, to: to + RECORD_MARGIN_MS };
  const readAt = context.now();
  const client = createSiteConnection(context, site, { signal });
  try {
    const { state, events } = await readPages(client, range);
    const isOver = readAt >= to;
    const known = state === 'complete' && !isOver ? 'incomplete' : state;
    saveFeedRange(site.cache, range, known, { events, readAt });
    context.changes.emit(name, 'webhooks');
    return { state: known, events: events.length };
  } finally {
    await client.close();
  }
}

type FeedReading = { state: Exclude<FeedState, 'not_read'>; events: StoredFeedEvent[] };

/** Reads pages, newest first, until a page is empty or older than the range. */
async function readPages(client: BillingClient, range: TimeRange): Promise<FeedReading> {
  const events = new Map<number, StoredFeedEvent>();
  let state: FeedReading['state'] = 'complete';
  let previousFirst: number | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const read = await readPage(client, range, page);
    if (read === null) return { state: 'unavailable', events: [] };
    if (read.problems.length > 0) state = 'incomplete';
    const times = read.items.map((item) => keepEvent(item, range, events));
    if (times.includes(null)) state = 'incomplete';
    const first = read.items[0]?.id;
    if (first === undefined) return { state, events: [...events.values()] };
    // A service that ignores the page would send the first page forever.
    if (first === previousFirst) break;
    previousFirst = first;
    if (times.every((at) => at !== null && at < range.from - DAY_MS))
      return { state, events: [...events.values()] };
  }
  return { state: 'incomplete', events: [...events.values()] };
}

async function readPage(client: BillingClient, { from, to }: TimeRange, page: number) {
  const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);
  // The service's days may begin up to a day earlier or later than in UTC.
  const days = { start_date: toDay(from - DAY_MS), end_date: toDay(to + DAY_MS) };
  try {
    return await client.listEvents({ page, per_page: PER_PAGE, direction: 'desc', ...days });
  } catch (error) {
    if (page === 1 && isUnknownAddress(error)) return null;
    throw error;
  }
}

/** Keeps an event of the range. Returns the event's time in UTC milliseconds, or null if it is unreadable. */
function keepEvent(
  { id, key, created_at, subscription_id, message, event_specific_data }: StatementEvent,
  { from, to }: TimeRange,
  events: Map<number, StoredFeedEvent>,
): number | null {
  const at = parseTimestamp(created_at);
  if (at === null || at < from || at > to) return at;
  const data = JSON.stringify(event_specific_data);
  events.set(id, { id, key, created_at: at, subscription_id, message, event_specific_data: data });
  return at;
}
