import type { Outputs } from '../../../contract/index.ts';
import { toErrorGroup } from '../../../domain/webhooks/error-group.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';

/** Returns the webhooks that a replay could not deliver, grouped by normalized error, most frequent first. */
export function replayErrors(books: ReadableDb, job: string): Outputs['replay']['errors'] {
  const texts = prepared<{ last_error: string | null; count: number }>(
    books,
    `SELECT last_error, count(*) AS count FROM replay_item INDEXED BY replay_item_outcome
     WHERE job = ? AND outcome IN ('failed', 'refused', 'unresolved') GROUP BY last_error`,
  ).all(job);
  return [...Map.groupBy(texts, ({ last_error }) => toErrorGroup(last_error))]
    .map(([error, of]) => ({
      error,
      count: of.reduce((sum, { count }) => sum + count, 0),
      example: of[0]?.last_error ?? '',
    }))
    .sort((a, b) => b.count - a.count || (a.error < b.error ? -1 : 1));
}
