import type { ContractOutputs } from '../../../contract/index.ts';
import { extractDate } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import { deliveryStates } from './webhook.ts';
import { listWebhookClasses } from './webhook-selection.ts';

/** Returns the choices for webhook filters from stored counts. */
export function readWebhookFacets(db: ReadableDb): ContractOutputs['webhooks']['facets'] {
  const classes = listWebhookClasses(db);
  const sum = (of: typeof classes) => of.reduce((count, each) => count + each.count, 0);
  const delivery = { accepted: 0, failed: 0, pending: 0 };
  for (const each of classes) delivery[deliveryStates[each.delivery]] += each.count;
  const events = [...Map.groupBy(classes, (each) => each.event)].map(([event, of]) => ({
    event,
    count: sum(of),
    failed: sum(of.filter((each) => each.delivery === 1)),
  }));
  return {
    total: sum(classes),
    delivery,
    events: events.sort((a, b) => b.count - a.count),
    first_day: findLogDay(db, 'ASC'),
    last_day: findLogDay(db, 'DESC'),
  };
}

/** Returns the days of the oldest and newest webhook in the service's calendar. */
export function findWebhookLogDateRange(db: ReadableDb): { first: string | null; last: string | null } {
  return { first: findLogDay(db, 'ASC'), last: findLogDay(db, 'DESC') };
}

function findLogDay(db: ReadableDb, direction: 'ASC' | 'DESC'): string | null {
  const sql = `SELECT created_at_text FROM webhook INDEXED BY webhook_created WHERE created_at > 0
     ORDER BY created_at ${direction} LIMIT 1`;
  const text = prepareSql<string | null>(db, sql).pluck().get();
  return extractDate(text ?? null);
}
