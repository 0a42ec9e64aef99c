import type { EndpointHealth } from '../../../domain/webhooks/endpoint-alerts.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { listWebhookClasses } from './webhook-selection.ts';

/** Counting stops at this number of failures, because a higher count has no effect. */
const MAX_FAILURES = 1000;

/** Returns the health of every endpoint to which webhooks were sent, without the service's status. */
export function listEndpointHealth(db: ReadableDb): Omit<EndpointHealth, 'status'>[] {
  const sent = listWebhookClasses(db).filter(({ url }) => url !== '');
  return [...Map.groupBy(sent, ({ url }) => url)].map(([endpoint, classes]) => {
    const idsOf = (delivery: 0 | 1) =>
      classes.filter((each) => each.delivery === delivery).map(({ id }) => id);
    const accepted_at = findLatestAttempt(db, idsOf(0));
    const failed = countFailuresAfter(db, idsOf(1), accepted_at ?? 0);
    return {
      endpoint,
      failures: failed.count,
      failing_since: failed.first,
      accepted_at,
      last_attempt_at: Math.max(accepted_at ?? 0, failed.last ?? 0),
    };
  });
}

/** Returns the latest attempt of any webhook of these classes, or null. */
function findLatestAttempt(db: ReadableDb, classes: readonly number[]): number | null {
  const sql = 'SELECT max(last_sent_at) FROM webhook INDEXED BY webhook_class_sent WHERE class_id = ?';
  const latest = Math.max(0, ...classes.map((id) => select.value<number>(db, sql, id) ?? 0));
  return latest === 0 ? null : latest;
}

type FailureCount = { count: number; first: number | null; last: number | null };

function countFailuresAfter(db: ReadableDb, classes: readonly number[], after: number): FailureCount {
  const sql = `SELECT last_sent_at FROM webhook INDEXED BY webhook_class_sent
     WHERE class_id = ? AND last_sent_at > ? ORDER BY last_sent_at LIMIT ${MAX_FAILURES}`;
  const latest = findLatestAttempt(db, classes);
  const attempts = classes.flatMap((id) => select.values<number>(db, sql, id, after));
  if (attempts.length === 0) return { count: 0, first: null, last: latest };
  return { count: attempts.length, first: attempts.reduce((a, b) => Math.min(a, b)), last: latest };
}

/** Returns the creation time of the newest webhook in UTC milliseconds, or null. */
export const findNewestWebhookTime = (db: ReadableDb): number | null =>
  select.value<number>(db, 'SELECT max(created_at) FROM webhook WHERE created_at > 0');
