import { hash } from 'node:crypto';
import type { ContractOutputs, Outage } from '../../../contract/index.ts';
import { type FailureRun, OutageFinder, type WebhookDelivery } from '../../../domain/webhooks/outages.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { DAY_MS } from './new-webhook-rows.ts';
import { findWebhookGaps, type WebhookGap } from './webhook-gaps.ts';
import { listWebhookClasses, type WebhookClass } from './webhook-selection.ts';

/** Minimum number of log rows per batch, for single failures. The number doubles during longer runs of failures. */
const MIN_BATCH_ROWS = 16;
const MAX_BATCH_ROWS = 4096;
/** Age in milliseconds up to which a webhook may still be waiting for its first delivery attempt. */
const FIRST_ATTEMPT_MS = 600_000;
/** Maximum number of failures read to determine the most frequent error of an outage. Chosen by judgment. */
const ERROR_SAMPLE_SIZE = 1000;

/** Returns outages, newest first. `now`, and `known_to` for the end of the stored log, are UTC milliseconds. */
export function listWebhookOutages(
  db: ReadableDb,
  { limit, now, known_to }: { limit: number; now: number; known_to: number },
): ContractOutputs['webhooks']['outages'] {
  const classes = listWebhookClasses(db);
  const runs = findFailureRuns(db, classes, now);
  const all = [
    ...runs.map((run) => ({ to: run.to, show: () => toFailureOutage(db, classes, run) })),
    ...findWebhookGaps(db, known_to).map((gap) => ({ to: gap.to, show: () => toGapOutage(gap) })),
  ].sort((a, b) => b.to - a.to);
  return {
    outages: all.slice(0, limit).map(({ show }) => show()),
    more: Math.max(0, all.length - limit),
  };
}

type LogPosition = [created_at: number, id: number];

function findFailureRuns(db: ReadableDb, classes: readonly WebhookClass[], now: number): FailureRun[] {
  const byId = new Map(classes.map((each) => [each.id, each]));
  const failing = classes.filter((each) => each.delivery !== 0);
  const runs = new OutageFinder();
  let last: LogPosition = [0, Number.MAX_SAFE_INTEGER];
  for (const [day, ids] of findFailingDays(db, failing)) {
    for (const position of listFailures(db, day, ids)) {
      if (isAfter(position, last)) last = readUntilRunEnds(db, { classes: byId, runs, now }, position);
    }
  }
  return runs.end();
}

const isAfter = ([at, id]: LogPosition, [to, last]: LogPosition) => at > to || (at === to && id > last);

/** Returns the UTC days with failures in order, and the webhook classes of these failures. */
function findFailingDays(db: ReadableDb, failing: readonly WebhookClass[]): Map<number, number[]> {
  const sql = `SELECT day, class_id FROM webhook_day
     WHERE count > 0 AND class_id IN (SELECT value FROM json_each(?)) ORDER BY day, class_id`;
  const rows = prepareSql<[number, number]>(db, sql)
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

/** Returns the log positions of a day's failed webhooks in order. */
function listFailures(db: ReadableDb, day: number, ids: readonly number[]): LogPosition[] {
  const sql = `SELECT created_at, id FROM webhook INDEXED BY webhook_class_created
     WHERE class_id = ? AND created_at >= ? AND created_at < ?`;
  const positions = prepareSql<LogPosition>(db, sql).raw();
  return ids
    .flatMap((id) => positions.all(id, Math.max(1, day * DAY_MS), (day + 1) * DAY_MS) as LogPosition[])
    .sort(([a, first], [b, second]) => a - b || first - second);
}

interface FailureSearch {
  classes: ReadonlyMap<number, WebhookClass>;
  runs: OutageFinder;
  /** Current time in UTC milliseconds. */
  now: number;
}

/** Reads the log from a failure on until every run of failures has ended. Returns the last position read. */
function readUntilRunEnds(
  db: ReadableDb,
  { classes, runs, now }: FailureSearch,
  from: LogPosition,
): LogPosition {
  const sql = `SELECT created_at, id, class_id, last_sent_at FROM webhook INDEXED BY webhook_created
     WHERE (created_at, id) >= (?, ?) ORDER BY created_at, id LIMIT ?`;
  const rows = prepareSql<[...LogPosition, number, number]>(db, sql).raw();
  let next = from;
  for (let size = MIN_BATCH_ROWS; ; size = Math.min(MAX_BATCH_ROWS, size * 2)) {
    const read = rows.all(...next, size) as [...LogPosition, number, number][];
    for (const [at, id, class_id, sent_at] of read) {
      const of = classes.get(class_id);
      const isFirstTry = of?.delivery === 2 && sent_at === 0 && at > now - FIRST_ATTEMPT_MS;
      if (of !== undefined && !isFirstTry) runs.take(passing(at, of));
      if (!runs.isOpen()) return [at, id];
      next = [at, id + 1];
    }
    if (read.length < size) return [Number.MAX_SAFE_INTEGER, 0];
  }
}

const passing = (at: number, { url, delivery }: WebhookClass): WebhookDelivery => ({ at, url, delivery });

function toFailureOutage(db: ReadableDb, classes: readonly WebhookClass[], run: FailureRun): Outage {
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
    error: failed === 0 ? null : findMostFrequentError(db, classes, run),
    expected: null,
    ongoing: !run.ended,
    filter: { status: 'failed', from, to, url },
  };
}

function findMostFrequentError(
  db: ReadableDb,
  classes: readonly WebhookClass[],
  run: FailureRun,
): string | null {
  const ids = classes.filter(({ url, delivery }) => url === run.url && delivery === 1).map(({ id }) => id);
  const sql = `SELECT error FROM (SELECT error_id FROM webhook WHERE id IN (
           SELECT id FROM webhook INDEXED BY webhook_created WHERE created_at BETWEEN ? AND ?
             AND class_id IN (SELECT value FROM json_each(?)) LIMIT ${ERROR_SAMPLE_SIZE}))
         JOIN webhook_error ON webhook_error.id = error_id
       GROUP BY error_id ORDER BY count(*) DESC, error_id LIMIT 1`;
  return select.value<string>(db, sql, run.from, run.to, JSON.stringify(ids));
}

function toGapOutage({ from, to, expected, ongoing }: WebhookGap): Outage {
  return {
    id: `${from.toString(36)}-gap`,
    kind: 'gap',
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
