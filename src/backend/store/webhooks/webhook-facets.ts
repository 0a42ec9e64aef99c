import type { Outputs } from '../../../contract/index.ts';
import { dateOf } from '../lists/day-range.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { deliveries } from './webhook.ts';
import { webhookClasses } from './webhook-selection.ts';

/** Returns the choices of the filter bar from stored counts. */
export function webhookFacets(db: ReadableDb): Outputs['webhooks']['facets'] {
  const classes = webhookClasses(db);
  const sum = (of: typeof classes) => of.reduce((count, each) => count + each.count, 0);
  const delivery = { accepted: 0, failed: 0, pending: 0 };
  for (const each of classes) delivery[deliveries[each.delivery]] += each.count;
  const events = [...Map.groupBy(classes, (each) => each.event)].map(([event, of]) => ({
    event,
    count: sum(of),
    failed: sum(of.filter((each) => each.delivery === 1)),
  }));
  return {
    total: sum(classes),
    delivery,
    events: events.sort((a, b) => b.count - a.count),
    first_day: dayAtEnd(db, 'ASC'),
    last_day: dayAtEnd(db, 'DESC'),
  };
}

/** Returns the days of the oldest and the newest webhook in the service's calendar. */
export function logDays(db: ReadableDb): { first: string | null; last: string | null } {
  return { first: dayAtEnd(db, 'ASC'), last: dayAtEnd(db, 'DESC') };
}

function dayAtEnd(db: ReadableDb, direction: 'ASC' | 'DESC'): string | null {
  const text = prepared<string | null>(
    db,
    `SELECT created_at_text FROM webhook INDEXED BY webhook_created WHERE created_at > 0
     ORDER BY created_at ${direction} LIMIT 1`,
  )
    .pluck()
    .get();
  return dateOf(text ?? null);
}
