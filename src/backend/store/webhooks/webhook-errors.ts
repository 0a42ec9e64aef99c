import type { ErrorGroup, WebhookFilter } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { webhookBranches } from './webhook-reading.ts';
import { conditions, isEmpty, selectWebhooks, type WebhookSelection } from './webhook-selection.ts';

/** Number of webhooks of one class with one error. */
interface Counted {
  error_id: number;
  class_id: number;
  count: number;
  first: number;
  last: number;
}

/**
 * Returns the failed and pending webhooks of a filter grouped by normalized error, most frequent first, with the creation
 * times of the first and the last.
 */
export function webhookErrors(db: ReadableDb, filter: WebhookFilter): ErrorGroup[] {
  const selection = selectWebhooks(db, filter);
  if (isEmpty(selection)) return [];
  const urls = new Map(selection.classes.map(({ id, url }) => [id, url]));
  return [...Map.groupBy(countedErrors(db, selection), (each) => each.error_id)]
    .map(([error_id, parts]) => ({ error_id, parts, count: sum(parts) }))
    .sort((a, b) => b.count - a.count || a.error_id - b.error_id)
    .map(({ error_id, parts, count }) => {
      const first = rowAt(db, Math.min(...parts.map((part) => part.first)));
      const last = rowAt(db, Math.max(...parts.map((part) => part.last)));
      const byUrl = Map.groupBy(parts, (part) => urls.get(part.class_id) ?? '');
      return {
        error:
          prepared<string>(db, 'SELECT error FROM webhook_error WHERE id = ?').pluck().get(error_id) ?? '',
        count,
        example: last?.last_error ?? '',
        first_at: first?.created_at_text ?? null,
        last_at: last?.created_at_text ?? null,
        urls: [...byUrl]
          .map(([url, of]) => ({ url, count: sum(of) }))
          .sort((a, b) => b.count - a.count || (a.url < b.url ? -1 : 1)),
      };
    });
}

const sum = (parts: readonly Counted[]) => parts.reduce((count, part) => count + part.count, 0);

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
      `SELECT error_id, class_id, count(*) AS count, min(id) AS first, max(id) AS last
       FROM ${branch.from} WHERE ${['error_id IS NOT NULL', ...branch.where].join(' AND ')}
       GROUP BY error_id, class_id`,
    ).all(...branch.bound),
  );
}

function rowAt(db: ReadableDb, id: number) {
  return prepared<{ created_at_text: string | null; last_error: string | null }>(
    db,
    'SELECT created_at_text, last_error FROM webhook WHERE id = ?',
  ).get(id);
}
