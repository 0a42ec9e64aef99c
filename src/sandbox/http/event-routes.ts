import { toExtraEventId, toNoticeEventId } from '../deliveries/webhook-body.ts';
import { type JsonRecord, toEventData } from '../render/json-records.ts';
import { createEventMessage } from '../render/memos.ts';
import type { TimeIndex } from '../simulation/row-time-index.ts';
import type { SiteSimulation } from '../simulation/site-simulation.ts';
import { isValidDate, SECONDS_PER_DAY } from '../simulation/time-zone.ts';
import type { MerchantSite } from '../site/merchant-site.ts';
import { type ParsedRequest, readRequestedRowRange } from './parsed-request.ts';
import { notFoundReply, type ServiceReply } from './reply.ts';

/** Lists the site's events, newest first. Earlier versions of the service do not have this address. */
export function listEvents({ service, query }: ParsedRequest): ServiceReply {
  const { site, settings } = service;
  if (settings.eventsFeed === 'absent') return notFoundReply;
  const day = (name: string): string | null => {
    const text = settings.eventsFeed === 'filtered' ? query.get(name) : null;
    return text !== null && isValidDate(text) ? text : null;
  };
  const [start, end] = [day('start_date'), day('end_date')];
  const from = start === null ? 0 : site.zone.dayStart(start);
  const nextDay = end === null ? null : new Date(Date.parse(end) + SECONDS_PER_DAY * 1000);
  const before = nextDay === null ? Infinity : site.zone.dayStart(nextDay.toISOString().slice(0, 10));
  const rows = listFeedRows(site.simulation).filter(({ at }) => at >= from && at < before);
  if (query.get('direction') !== 'asc') rows.reverse();
  const [first, last] = readRequestedRowRange(query, 20, settings.maxPerPage);
  const values = rows.slice(first, last).map((row) => toFeedEvent(site, row));
  return { kind: 'list', status: 200, name: 'events', item: 'event', values, wrapped: true };
}

interface FeedRow {
  readonly at: number;
  readonly index: TimeIndex;
  readonly row: number;
}

/** Returns the events of all webhooks, generated or not, oldest first. */
function listFeedRows({ webhooks, ungenerated }: SiteSimulation): FeedRow[] {
  const rows = [webhooks, ungenerated].flatMap((index) =>
    Array.from({ length: index.length }, (_, row) => ({ at: index.at(row), index, row })),
  );
  return rows.sort((a, b) => a.at - b.at);
}

function toFeedEvent(site: MerchantSite, { at, index, row }: FeedRow): JsonRecord {
  const { simulation, zone } = site;
  const account = simulation.account(index.subscription(row));
  const notice = simulation.notice(row, index);
  const subscription = account.subscriber.index;
  const ids = simulation.ids.subscription;
  const common = {
    key: simulation.event(row, index),
    created_at: zone.iso(at),
    subscription_id: ids.id(subscription),
  };
  if (notice === null) {
    const { n } = simulation.extra(row, index);
    return { id: toExtraEventId(subscription, n), ...common, message: common.key, event_specific_data: null };
  }
  const { entry } = notice;
  return {
    // Events that are on no statement have ids of their own.
    id:
      toNoticeEventId(site, notice, subscription) ??
      3_000_000_000_000 + subscription * 2 ** 20 + index.ordinal(row),
    ...common,
    message: entry ? createEventMessage(site, account, entry) : common.key,
    event_specific_data: entry ? toEventData(site, account, entry) : null,
  };
}
