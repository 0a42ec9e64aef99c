import type { WebhookErrorGroup, WebhookFilter } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { getWebhookScans } from './webhook-list-plan.ts';
import {
  getWebhookConditions,
  isEmptyWebhookSelection,
  selectWebhooks,
  type WebhookSelection,
} from './webhook-selection.ts';

/** Number of webhooks of one class with the same error. */
interface ErrorCount {
  error_id: number;
  class_id: number;
  count: number;
  first: number;
  last: number;
}

/** Returns the webhooks that were not accepted, grouped by normalized error, most frequent first. */
export function listWebhookErrors(db: ReadableDb, filter: WebhookFilter): WebhookErrorGroup[] {
  const selection = selectWebhooks(db, filter);
  if (isEmptyWebhookSelection(selection)) return [];
  const urls = new Map(selection.classes.map(({ id, url }) => [id, url]));
  return [...Map.groupBy(countErrors(db, selection), (each) => each.error_id)]
    .map(([error_id, parts]) => ({ error_id, parts, count: sum(parts) }))
    .sort((a, b) => b.count - a.count || a.error_id - b.error_id)
    .map(({ error_id, parts, count }) => {
      const first = findRow(db, Math.min(...parts.map((part) => part.first)));
      const last = findRow(db, Math.max(...parts.map((part) => part.last)));
      const byUrl = Map.groupBy(parts, (part) => urls.get(part.class_id) ?? '');
      return {
        error: select.value<string>(db, 'SELECT error FROM webhook_error WHERE id = ?', error_id) ?? '',
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

const sum = (parts: readonly ErrorCount[]) => parts.reduce((count, part) => count + part.count, 0);

function countErrors(db: ReadableDb, selection: WebhookSelection): ErrorCount[] {
  const { match, subscription_id, statement_id } = selection;
  const byError = match === null && subscription_id === null && statement_id === null;
  const { where, bound } = getWebhookConditions(selection);
  const branches = byError
    ? [{ from: 'webhook INDEXED BY webhook_error_class', where, bound }]
    : getWebhookScans(db, { ...selection, everyClass: false });
  return branches.flatMap((branch) =>
    select.rows<ErrorCount>(
      db,
      `SELECT error_id, class_id, count(*) AS count, min(id) AS first, max(id) AS last
       FROM ${branch.from} WHERE ${['error_id IS NOT NULL', ...branch.where].join(' AND ')}
       GROUP BY error_id, class_id`,
      ...branch.bound,
    ),
  );
}

function findRow(db: ReadableDb, id: number) {
  const sql = 'SELECT created_at_text, last_error FROM webhook WHERE id = ?';
  return prepareSql<{ created_at_text: string | null; last_error: string | null }>(db, sql).get(id);
}
