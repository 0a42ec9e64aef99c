import { hash } from 'node:crypto';
import type { Outage, Outputs } from '../../../contract/index.ts';
import {
  createOutageFinder,
  type FailureRun,
  type OutageFinder,
  type WebhookDelivery,
} from '../../../domain/webhooks/outage-runs.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { DAY } from './webhook-arrivals.ts';
import { findHoles, type Hole } from './webhook-holes.ts';
import { type WebhookClass, webhookClasses } from './webhook-selection.ts';

/** Number of rows read at once: few around a single failure, more the longer a run is. */
const FEWEST_ROWS = 16;
const MOST_ROWS = 4096;
/** Milliseconds after its creation within which a webhook may still be waiting for its first attempt. */
const YOUNG_MS = 600_000;
/** Number of failures of an outage from which the most frequent error is determined. */
const SAMPLE = 1000;

/**
 * Returns the outages of the log, newest first. Reads only days with failures and only rows around them, each at most
 * once. `now` is UTC milliseconds; `known_to` is the end of the stored log.
 */
export function webhookOutages(
  db: ReadableDb,
  { limit, now, known_to }: { limit: number; now: number; known_to: number },
): Outputs['webhooks']['outages'] {
  const classes = webhookClasses(db);
  const runs = foundRuns(db, classes, now);
  const all = [
    ...runs.map((run) => ({ to: run.to, show: () => shownRun(db, classes, run) })),
    ...findHoles(db, known_to).map((hole) => ({ to: hole.to, show: () => shownHole(hole) })),
  ].sort((a, b) => b.to - a.to);
  return {
    outages: all.slice(0, limit).map(({ show }) => show()),
    more: Math.max(0, all.length - limit),
  };
}

type Place = [created_at: number, id: number];

function foundRuns(db: ReadableDb, classes: readonly WebhookClass[], now: number): FailureRun[] {
  const byId = new Map(classes.map((each) => [each.id, each]));
  const failing = classes.filter((each) => each.delivery !== 0);
  const runs = createOutageFinder();
  let behind: Place = [0, Number.MAX_SAFE_INTEGER];
  for (const [day, ids] of failingDays(db, failing)) {
    for (const place of failuresOf(db, day, ids)) {
      if (isBehind(place, behind)) behind = walk(db, byId, runs, place, now);
    }
  }
  return runs.end();
}

const isBehind = ([at, id]: Place, [to, last]: Place) => at > to || (at === to && id > last);

/** Returns the UTC days with failures in order, with the classes of the failures. */
function failingDays(db: ReadableDb, failing: readonly WebhookClass[]): Map<number, number[]> {
  const rows = prepared<[number, number]>(
    db,
    `SELECT day, class_id FROM webhook_day
     WHERE count > 0 AND class_id IN (SELECT value FROM json_each(?)) ORDER BY day, class_id`,
  )
    .raw()
    .all(JSON.stringify(failing.map(({ id }) => id))) as [number, number][];
  const days = new Map<number, number[]>();
  for (const [day, class_id] of rows) {
    const ids = days.get(day);
    if (ids === undefined) days.set(day, [class_id]);
    else ids.push(class_id);
  }
  return days;
}

/** Returns the positions of a day's failures in order. */
function failuresOf(db: ReadableDb, day: number, ids: readonly number[]): Place[] {
  const places = prepared<Place>(
    db,
    `SELECT created_at, id FROM webhook INDEXED BY webhook_class_created
     WHERE class_id = ? AND created_at >= ? AND created_at < ?`,
  ).raw();
  return ids
    .flatMap((id) => places.all(id, Math.max(1, day * DAY), (day + 1) * DAY) as Place[])
    .sort(([a, first], [b, second]) => a - b || first - second);
}

/** Reads rows from a failure on until no run is open. Returns the last position. */
function walk(
  db: ReadableDb,
  classes: ReadonlyMap<number, WebhookClass>,
  runs: OutageFinder,
  from: Place,
  now: number,
): Place {
  const rows = prepared<[...Place, number, number]>(
    db,
    `SELECT created_at, id, class_id, last_sent_at FROM webhook INDEXED BY webhook_created
     WHERE (created_at, id) >= (?, ?) ORDER BY created_at, id LIMIT ?`,
  ).raw();
  let next = from;
  for (let size = FEWEST_ROWS; ; size = Math.min(MOST_ROWS, size * 2)) {
    const read = rows.all(...next, size) as [...Place, number, number][];
    for (const [at, id, class_id, sent_at] of read) {
      const of = classes.get(class_id);
      const isFirstTry = of?.delivery === 2 && sent_at === 0 && at > now - YOUNG_MS;
      if (of !== undefined && !isFirstTry) runs.take(passing(at, of));
      if (!runs.isOpen()) return [at, id];
      next = [at, id + 1];
    }
    if (read.length < size) return [Number.MAX_SAFE_INTEGER, 0];
  }
}

const passing = (at: number, { url, delivery }: WebhookClass): WebhookDelivery => ({ at, url, delivery });

function shownRun(db: ReadableDb, classes: readonly WebhookClass[], run: FailureRun): Outage {
  const { url, accepted, failed, pending } = run;
  const from = formatTimestamp(run.from);
  const to = formatTimestamp(run.to);
  return {
    id: `${run.from.toString(36)}-${hash('sha256', url).slice(0, 8)}`,
    kind: pending > failed ? 'never_sent' : 'failures',
    from,
    to,
    url,
    accepted,
    failed,
    pending,
    error: failed === 0 ? null : mostFrequentError(db, classes, run),
    expected: null,
    ongoing: !run.ended,
    filter: { status: 'failed', from, to, url },
  };
}

function mostFrequentError(db: ReadableDb, classes: readonly WebhookClass[], run: FailureRun): string | null {
  const ids = classes.filter(({ url, delivery }) => url === run.url && delivery === 1).map(({ id }) => id);
  return (
    prepared<string>(
      db,
      `SELECT error FROM (SELECT error_id FROM webhook WHERE id IN (
           SELECT id FROM webhook INDEXED BY webhook_created WHERE created_at BETWEEN ? AND ?
             AND class_id IN (SELECT value FROM json_each(?)) LIMIT ${SAMPLE}))
         JOIN webhook_error ON webhook_error.id = error_id
       GROUP BY error_id ORDER BY count(*) DESC, error_id LIMIT 1`,
    )
      .pluck()
      .get(run.from, run.to, JSON.stringify(ids)) ?? null
  );
}

function shownHole({ from, to, expected, ongoing }: Hole): Outage {
  return {
    id: `${from.toString(36)}-hole`,
    kind: 'hole',
    from: formatTimestamp(from),
    to: formatTimestamp(to),
    url: null,
    accepted: 0,
    failed: 0,
    pending: 0,
    error: null,
    expected,
    ongoing,
    filter: null,
  };
}
