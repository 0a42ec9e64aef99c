import type { Outputs, WebhookFilter } from '../../contract/index.ts';
import { prepared, type ReadableDb } from './database.ts';
import { dateOf } from './days.ts';
import { deliveries } from './webhook.ts';
import { webhookBranches } from './webhookReading.ts';
import {
  conditions,
  isEmpty,
  selectWebhooks,
  type WebhookSelection,
  webhookClasses,
} from './webhookSelection.ts';

/** What the filter bar offers, from the kept counts. */
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

type ErrorGroups = Outputs['webhooks']['errors'];

interface Counted {
  error_id: number;
  count: number;
  first: number;
  last: number;
}

/** The not accepted webhooks of a filter by normalised error, the most frequent first, with when the first and the last were created. */
export function webhookErrors(db: ReadableDb, filter: WebhookFilter): ErrorGroups {
  const selection = selectWebhooks(db, filter);
  if (isEmpty(selection)) return [];
  return countedErrors(db, selection)
    .sort((a, b) => b.count - a.count || a.error_id - b.error_id)
    .map((counted) => shownError(db, counted));
}

function countedErrors(db: ReadableDb, selection: WebhookSelection): Counted[] {
  const { match, subscription_id, statement_id } = selection;
  const byError = match === null && subscription_id === null && statement_id === null;
  const { where, bound } = conditions(selection);
  const branches = byError
    ? [{ from: 'webhook INDEXED BY webhook_error_class', where, bound }]
    : webhookBranches(db, { ...selection, everyClass: false });
  return branches.flatMap((branch) =>
    prepared<Counted>(
      db,
      `SELECT error_id, count(*) AS count, min(id) AS first, max(id) AS last
       FROM ${branch.from} WHERE ${['error_id IS NOT NULL', ...branch.where].join(' AND ')} GROUP BY error_id`,
    ).all(...branch.bound),
  );
}

function shownError(db: ReadableDb, { error_id, count, first, last }: Counted): ErrorGroups[number] {
  const one = (id: number) =>
    prepared<{ created_at_text: string | null; last_error: string | null }>(
      db,
      'SELECT created_at_text, last_error FROM webhook WHERE id = ?',
    ).get(id);
  return {
    error: prepared<string>(db, 'SELECT error FROM webhook_error WHERE id = ?').pluck().get(error_id) ?? '',
    count,
    example: one(last)?.last_error ?? '',
    first_at: one(first)?.created_at_text ?? null,
    last_at: one(last)?.created_at_text ?? null,
  };
}
