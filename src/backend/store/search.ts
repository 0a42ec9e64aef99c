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

/** Words of a search that are looked at; the rest is left out. */
const MOST_WORDS = 8;
/** A shorter beginning of a word would match half of all there is. */
const SHORTEST_PREFIX = 3;

/**
 * A person's words as an FTS5 expression over `columns`: all of them must occur, a "quoted phrase" in this order, and
 * `word*` stands for every word with that beginning. Null where there is nothing to look for (no letter and no digit).
 */
export function searchExpression(text: string, columns: readonly string[]): string | null {
  const terms = [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)]
    .map(([word, phrase]) => term(phrase ?? word, phrase === undefined))
    .filter((each) => each !== null)
    .slice(0, MOST_WORDS);
  return terms.length === 0 ? null : `{${columns.join(' ')}} : (${terms.join(' AND ')})`;
}

/** An expression narrowed to rows with one of these tokens in a column. */
export function narrowed(expression: string, column: string, tokens: readonly (string | number)[]): string {
  return `(${expression}) AND ${column} : (${tokens.map((token) => quoted(String(token))).join(' OR ')})`;
}

function term(text: string, mayBePrefix: boolean): string | null {
  const plain = text.replace(/\p{C}/gu, ' ');
  if (!/[\p{L}\p{N}]/u.test(plain)) return null;
  const prefix = mayBePrefix && plain.endsWith('*') && plain.length > SHORTEST_PREFIX;
  return quoted(plain.replace(/\*+$/, '')) + (prefix ? '*' : '');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
