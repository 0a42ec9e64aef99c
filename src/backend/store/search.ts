import { type BodyForm, storedPairs } from './body.ts';
import { commit, prepared, type WritableDb } from './database.ts';

/**
 * Brings the search of webhooks up to what is stored, a batch of at most `limit` rows in one transaction, so that the
 * sync is not held up: to be called behind it until it gives 0. Gives how many rows it indexed.
 */
export function indexWebhooks(db: WritableDb, limit = 500): number {
  return commit(db, () => {
    const rows = prepared<UnindexedWebhook>(
      db,
      `SELECT id, event, delivery, last_error, body_form, body FROM webhook
       WHERE id IN (SELECT id FROM webhook_unindexed ORDER BY id LIMIT ?) ORDER BY id`,
    ).all(limit);
    for (const row of rows) {
      prepared(
        db,
        'INSERT OR REPLACE INTO webhook_fts (rowid, body, event, error, narrow) VALUES (?, ?, ?, ?, ?)',
      ).run(
        row.id,
        storedPairs(row.body, row.body_form)
          .map(([, value]) => value)
          .join(' '),
        `${row.id} ${row.event}`,
        row.last_error ?? '',
        `d${row.delivery}`,
      );
      prepared(db, 'DELETE FROM webhook_unindexed WHERE id = ?').run(row.id);
    }
    return rows.length;
  });
}

interface UnindexedWebhook {
  id: number;
  event: string;
  delivery: number;
  last_error: string | null;
  body_form: BodyForm;
  body: string;
}
