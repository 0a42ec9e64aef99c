import type { Unsearched } from '../../../contract/index.ts';
import { deliveryToken, urlToken } from '../lists/search-expression.ts';
import { commit, prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import { statementStates } from '../statements/statement.ts';
import { type BodyForm, storedBodyFields } from '../webhooks/body.ts';
import { asSent, urlGroup } from '../webhooks/webhook.ts';

/** Records with a full-text index. */
export type Searched = 'webhooks' | 'statements';

/**
 * Indexes a batch of at most `limit` rows in a transaction of its own. Called after the writes until it returns 0, so
 * that they are not delayed. Pending rows are stored in the database, so nothing is lost when the process ends. Returns
 * the number of rows indexed.
 */
export function indexSearch(db: WritableDb, limit = 500, of?: Searched): number {
  return commit(db, () => {
    const webhooks = of === 'statements' ? 0 : indexWebhooks(db, limit);
    return webhooks + (of === 'webhooks' ? 0 : indexStatements(db, limit - webhooks));
  });
}

/** Returns the number of rows whose current content is not indexed yet, and of PDFs without extracted text. */
export function unsearched(db: ReadableDb): Unsearched {
  return prepared<Unsearched>(
    db,
    `SELECT (SELECT count(*) FROM webhook_unindexed) AS webhooks,
       (SELECT count(*) FROM statement_unindexed) AS statements,
       (SELECT count(*) FROM pdf_unread) AS pdfs`,
  ).get()!;
}

interface UnindexedWebhook {
  id: number;
  event: string;
  delivery: number;
  last_sent_url: string | null;
  last_error: string | null;
  body_form: BodyForm;
  body: string;
}

function indexWebhooks(db: WritableDb, limit: number): number {
  const rows = prepared<UnindexedWebhook>(
    db,
    `SELECT id, event, delivery, ${asSent.last_sent_url} AS last_sent_url, last_error, body_form, body FROM webhook
     WHERE id IN (SELECT id FROM webhook_unindexed ORDER BY id LIMIT ?) ORDER BY id`,
  ).all(limit);
  for (const row of rows) {
    const values = storedBodyFields(row.body, row.body_form).map(([, value]) => value);
    prepared(
      db,
      'INSERT OR REPLACE INTO webhook_fts (rowid, body, event, error, narrow) VALUES (?, ?, ?, ?, ?)',
    ).run(
      row.id,
      values.join(' '),
      `${row.id} ${row.event}`,
      row.last_error,
      `${deliveryToken(row.delivery)} ${urlToken(urlGroup(row.last_sent_url))}`,
    );
    prepared(db, 'DELETE FROM webhook_unindexed WHERE id = ?').run(row.id);
  }
  return rows.length;
}

interface UnindexedStatement {
  id: number;
  subscription_id: number;
  state: number;
  customer_name: string;
  customer_organization: string | null;
  memo: string | null;
  text_view: string | null;
  /** Text of its latest archived PDF. */
  words: string | null;
}

function indexStatements(db: WritableDb, limit: number): number {
  const rows = prepared<UnindexedStatement>(
    db,
    `SELECT id, subscription_id, state, customer_name, customer_organization, memo, text_view,
       (SELECT words FROM pdf LEFT JOIN pdf_words USING (sha256) WHERE pdf.statement_id = statement.id
        ORDER BY version DESC LIMIT 1) AS words
     FROM statement LEFT JOIN statement_view ON statement_view.statement_id = statement.id
     WHERE id IN (SELECT id FROM statement_unindexed ORDER BY id LIMIT ?) ORDER BY id`,
  ).all(limit);
  for (const row of rows) {
    prepared(
      db,
      'INSERT OR REPLACE INTO statement_fts (rowid, customer, memo, text, narrow) VALUES (?, ?, ?, ?, ?)',
    ).run(
      row.id,
      `${row.customer_name} ${row.customer_organization ?? ''}`,
      row.memo,
      `${row.id} ${row.subscription_id} ${row.text_view ?? ''} ${row.words ?? ''}`,
      statementStates[row.state]!,
    );
    prepared(db, 'DELETE FROM statement_unindexed WHERE id = ?').run(row.id);
  }
  return rows.length;
}
