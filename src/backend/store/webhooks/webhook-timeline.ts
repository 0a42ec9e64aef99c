import type { WebhookFilter, WebhookTimeline } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { TimeRange } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import { DAY_MS } from './new-webhook-rows.ts';
import { deliveryStates } from './webhook.ts';
import { countWebhooksOnDays } from './webhook-id-ranges.ts';
import {
  getFullWebhookScan,
  isEmptyWebhookSelection,
  selectWebhooks,
  type WebhookSelection,
} from './webhook-selection.ts';

/** Maximum number of webhooks counted individually. Above it, the stored counts of whole days are used. */
const MAX_COUNTED_ROWS = 200_000;

/** Returns the filtered webhooks over time by delivery state, in at most `maxCount` buckets. */
export function getWebhookTimeline(db: ReadableDb, filter: WebhookFilter, maxCount: number): WebhookTimeline {
  const selection = selectWebhooks(db, filter);
  const range = isEmptyWebhookSelection(selection) ? null : getTimelineRange(db, selection.created);
  if (range === null) return { from: null, to: null, bucket_ms: 0, buckets: [] };
  const size = Math.ceil((range.until - range.from) / maxCount);
  const byDay =
    isCountedByDay(selection) && (size >= DAY_MS || countWebhooksOnDays(db, range) > MAX_COUNTED_ROWS);
  return byDay ? countByDays(db, selection, range, maxCount) : countByRows(db, selection, range, size);
}

/** Returns the filter's time range, limited to the time range of the stored log. */
function getTimelineRange(db: ReadableDb, range: TimeRange | null): TimeRange | null {
  const sql = `SELECT (SELECT min(created_at) FROM webhook INDEXED BY webhook_created WHERE created_at > 0) AS first,
       (SELECT max(created_at) FROM webhook INDEXED BY webhook_created) AS last`;
  const stored = prepareSql<{ first: number | null; last: number | null }>(db, sql).get();
  const { first, last } = stored ?? { first: null, last: null };
  if (first === null || last === null) return null;
  const from = range === null || range.from <= 1 ? first : range.from;
  const until =
    range === null || range.until === Number.MAX_SAFE_INTEGER ? Math.max(first, last) + 1 : range.until;
  return until > from ? { from, until } : null;
}

/** Returns true if only classes and time are selected, so that the stored counts per day are enough. */
function isCountedByDay({ match, error_id, subscription_id, statement_id }: WebhookSelection): boolean {
  return match === null && error_id === null && subscription_id === null && statement_id === null;
}

type BucketCount = [bucket: number, class_id: number, count: number];

function countByRows(
  db: ReadableDb,
  selection: WebhookSelection,
  range: TimeRange,
  size: number,
): WebhookTimeline {
  return toTimeline(selection, range, size, countBuckets(db, selection, range, { from: range.from, size }));
}

/** Returns timeline buckets of whole UTC days. Rows are counted individually on days only partly in the range. */
function countByDays(
  db: ReadableDb,
  selection: WebhookSelection,
  range: TimeRange,
  maxCount: number,
): WebhookTimeline {
  const from = Math.floor(range.from / DAY_MS) * DAY_MS;
  const until = Math.ceil(range.until / DAY_MS) * DAY_MS;
  const size = Math.ceil((until - from) / DAY_MS / maxCount) * DAY_MS;
  const wholeDays = { from: Math.ceil(range.from / DAY_MS), behind: Math.floor(range.until / DAY_MS) };
  const parts: TimeRange[] =
    wholeDays.from > wholeDays.behind
      ? [range]
      : [
          { from: range.from, until: wholeDays.from * DAY_MS },
          { from: wholeDays.behind * DAY_MS, until: range.until },
        ];
  const sql = `SELECT (day * ${DAY_MS} - CAST(? AS INTEGER)) / CAST(? AS INTEGER) AS bucket, class_id, sum(count) FROM webhook_day
     WHERE day >= ? AND day < ? GROUP BY bucket, class_id`;
  const counted = prepareSql<BucketCount>(db, sql)
    .raw()
    .all(from, size, wholeDays.from, wholeDays.behind) as BucketCount[];
  for (const part of parts) {
    if (part.until > part.from) counted.push(...countBuckets(db, selection, part, { from, size }));
  }
  return toTimeline(selection, { from, until }, size, counted);
}

function countBuckets(
  db: ReadableDb,
  selection: WebhookSelection,
  created: TimeRange,
  { from, size }: { from: number; size: number },
): BucketCount[] {
  const branch = getFullWebhookScan({ ...selection, created });
  const sql = `SELECT (created_at - CAST(? AS INTEGER)) / CAST(? AS INTEGER) AS bucket, class_id, count(*) FROM ${branch.from}
     WHERE ${branch.where.join(' AND ')} GROUP BY bucket, class_id`;
  return prepareSql<BucketCount>(db, sql)
    .raw()
    .all(from, size, ...branch.bound) as BucketCount[];
}

function toTimeline(
  { classes }: WebhookSelection,
  range: TimeRange,
  size: number,
  counted: readonly BucketCount[],
): WebhookTimeline {
  const buckets = Array.from({ length: Math.ceil((range.until - range.from) / size) }, (_, at) => ({
    at: formatTimestamp(range.from + at * size),
    accepted: 0,
    failed: 0,
    pending: 0,
  }));
  const deliveryOf = new Map(classes.map(({ id, delivery }) => [id, deliveryStates[delivery]]));
  for (const [at, class_id, count] of counted) {
    const delivery = deliveryOf.get(class_id);
    const bucket = buckets[at];
    if (delivery !== undefined && bucket !== undefined) bucket[delivery] += count;
  }
  return {
    from: formatTimestamp(range.from),
    to: formatTimestamp(range.from + buckets.length * size),
    bucket_ms: size,
    buckets,
  };
}
