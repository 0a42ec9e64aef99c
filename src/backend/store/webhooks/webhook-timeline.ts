import type { Timeline, WebhookFilter } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { Stretch } from '../lists/day-range.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { deliveries } from './webhook.ts';
import { DAY } from './webhook-arrivals.ts';
import { mostOfDays } from './webhook-days.ts';
import { isEmpty, passBranch, selectWebhooks, type WebhookSelection } from './webhook-selection.ts';

/** Maximum number of rows counted individually. For more, the stored counts of whole days are used. */
const FEW = 200_000;

/** Returns the number of webhooks of a filter over time by delivery state, in at most `most` buckets. */
export function webhookTimeline(db: ReadableDb, filter: WebhookFilter, most: number): Timeline {
  const selection = selectWebhooks(db, filter);
  const span = isEmpty(selection) ? null : spanOf(db, selection.created);
  if (span === null) return { from: null, to: null, bucket_ms: 0, buckets: [] };
  const size = Math.ceil((span.until - span.from) / most);
  const byDay = isOfClasses(selection) && (size >= DAY || mostOfDays(db, span) > FEW);
  return byDay ? byDays(db, selection, span, most) : byRows(db, selection, span, size);
}

/** Returns the filter's time range, limited to the first and last row of the log. */
function spanOf(db: ReadableDb, stretch: Stretch | null): Stretch | null {
  const stored = prepared<{ first: number | null; last: number | null }>(
    db,
    `SELECT (SELECT min(created_at) FROM webhook INDEXED BY webhook_created WHERE created_at > 0) AS first,
       (SELECT max(created_at) FROM webhook INDEXED BY webhook_created) AS last`,
  ).get();
  const { first, last } = stored ?? { first: null, last: null };
  if (first === null || last === null) return null;
  const from = stretch === null || stretch.from <= 1 ? first : stretch.from;
  const until =
    stretch === null || stretch.until === Number.MAX_SAFE_INTEGER ? Math.max(first, last) + 1 : stretch.until;
  return until > from ? { from, until } : null;
}

/** Returns true if only classes and time are selected, so that the counts per day suffice. */
function isOfClasses({ match, error_id, subscription_id, statement_id }: WebhookSelection): boolean {
  return match === null && error_id === null && subscription_id === null && statement_id === null;
}

type Counted = [bucket: number, class_id: number, count: number];

function byRows(db: ReadableDb, selection: WebhookSelection, span: Stretch, size: number): Timeline {
  return filled(selection, span, size, countedRows(db, selection, span, span.from, size));
}

/** Returns buckets of whole UTC days. Days partly in the range are counted by their rows. */
function byDays(db: ReadableDb, selection: WebhookSelection, span: Stretch, most: number): Timeline {
  const from = Math.floor(span.from / DAY) * DAY;
  const until = Math.ceil(span.until / DAY) * DAY;
  const size = Math.ceil((until - from) / DAY / most) * DAY;
  const whole = { from: Math.ceil(span.from / DAY), behind: Math.floor(span.until / DAY) };
  const parts: Stretch[] =
    whole.from > whole.behind
      ? [span]
      : [
          { from: span.from, until: whole.from * DAY },
          { from: whole.behind * DAY, until: span.until },
        ];
  const counted = prepared<Counted>(
    db,
    `SELECT (day * ${DAY} - CAST(? AS INTEGER)) / CAST(? AS INTEGER) AS bucket, class_id, sum(count) FROM webhook_day
     WHERE day >= ? AND day < ? GROUP BY bucket, class_id`,
  )
    .raw()
    .all(from, size, whole.from, whole.behind) as Counted[];
  for (const part of parts) {
    if (part.until > part.from) counted.push(...countedRows(db, selection, part, from, size));
  }
  return filled(selection, { from, until }, size, counted);
}

function countedRows(
  db: ReadableDb,
  selection: WebhookSelection,
  stretch: Stretch,
  origin: number,
  size: number,
): Counted[] {
  const branch = passBranch({ ...selection, created: stretch });
  return prepared<Counted>(
    db,
    `SELECT (created_at - CAST(? AS INTEGER)) / CAST(? AS INTEGER) AS bucket, class_id, count(*) FROM ${branch.from}
     WHERE ${branch.where.join(' AND ')} GROUP BY bucket, class_id`,
  )
    .raw()
    .all(origin, size, ...branch.bound) as Counted[];
}

function filled(
  { classes }: WebhookSelection,
  span: Stretch,
  size: number,
  counted: readonly Counted[],
): Timeline {
  const buckets = Array.from({ length: Math.ceil((span.until - span.from) / size) }, (_, at) => ({
    at: formatTimestamp(span.from + at * size),
    accepted: 0,
    failed: 0,
    pending: 0,
  }));
  const deliveryOf = new Map(classes.map(({ id, delivery }) => [id, deliveries[delivery]]));
  for (const [at, class_id, count] of counted) {
    const delivery = deliveryOf.get(class_id);
    const bucket = buckets[at];
    if (delivery !== undefined && bucket !== undefined) bucket[delivery] += count;
  }
  return {
    from: formatTimestamp(span.from),
    to: formatTimestamp(span.from + buckets.length * size),
    bucket_ms: size,
    buckets,
  };
}
