import type { UnindexedRecordCounts } from '../../../contract/index.ts';
import { toDeliverySearchToken, toUrlSearchToken } from '../lists/search-expression.ts';
import {
  prepareSql,
  type ReadableDb,
  runInTransaction,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { statementStates } from '../statements/statement.ts';
import { webhookBodySql } from '../webhooks/body-compression.ts';
import { removeUrlQuery, sentWebhookFieldsSql } from '../webhooks/webhook.ts';
import { parseStoredWebhookBody, type WebhookBodyForm } from '../webhooks/webhook-body.ts';

/** Kinds of records that have a full-text index. */
export type SearchableRecordKind = 'webhooks' | 'statements';

/** Adds at most `limit` pending records to the search index in one transaction. Returns how many were added. */
export function indexPendingRecords(db: WritableDb, limit = 500, of?: SearchableRecordKind): number {
  return runInTransaction(db, () => {
    const webhooks = of === 'statements' ? 0 : indexWebhooks(db, limit);
    return webhooks + (of === 'webhooks' ? 0 : indexStatements(db, limit - webhooks));
  });
}

/** Returns the numbers of records not yet in the search index, and of PDFs without extracted text. */
export function countUnindexedRecords(db: ReadableDb): UnindexedRecordCounts {
  const sql = `SELECT (SELECT count(*) FROM webhook_unindexed) AS webhooks,
       (SELECT count(*) FROM statement_unindexed) AS statements,
       (SELECT count(*) FROM pdf_text_pending) AS pdfs`;
  return select.row<UnindexedRecordCounts>(db, sql)!;
}

interface UnindexedWebhook {
  id: number;
  event: string;
  delivery: number;
  last_sent_url: string | null;
  last_error: string | null;
  body_form: WebhookBodyForm;
  body: string;
}

function indexWebhooks(db: WritableDb, limit: number): number {
  const rowsSql = `SELECT id, event, delivery, ${sentWebhookFieldsSql.last_sent_url} AS last_sent_url, last_error, body_form, ${webhookBodySql} AS body
     FROM webhook
     WHERE id IN (SELECT id FROM webhook_unindexed ORDER BY id LIMIT ?) ORDER BY id`;
  const rows = select.rows<UnindexedWebhook>(db, rowsSql, limit);
  for (const row of rows) {
    const values = parseStoredWebhookBody(row.body, row.body_form).map(([, value]) => value);
    const sql =
      'INSERT OR REPLACE INTO webhook_fts (rowid, body, event, error, narrow) VALUES (?, ?, ?, ?, ?)';
    prepareSql(db, sql).run(
      row.id,
      values.join(' '),
      `${row.id} ${row.event}`,
      row.last_error,
      `${toDeliverySearchToken(row.delivery)} ${toUrlSearchToken(removeUrlQuery(row.last_sent_url))}`,
    );
    prepareSql(db, 'DELETE FROM webhook_unindexed WHERE id = ?').run(row.id);
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
  /** Text of the statement's latest archived PDF. */
  words: string | null;
}

function indexStatements(db: WritableDb, limit: number): number {
  const rowsSql = `SELECT id, subscription_id, state, customer_name, customer_organization, memo, text_view,
       (SELECT text FROM pdf LEFT JOIN pdf_text USING (sha256) WHERE pdf.statement_id = statement.id
        ORDER BY version DESC LIMIT 1) AS words
     FROM statement LEFT JOIN statement_view ON statement_view.statement_id = statement.id
     WHERE id IN (SELECT id FROM statement_unindexed ORDER BY id LIMIT ?) ORDER BY id`;
  const rows = select.rows<UnindexedStatement>(db, rowsSql, limit);
  for (const row of rows) {
    const sql =
      'INSERT OR REPLACE INTO statement_fts (rowid, customer, memo, text, narrow) VALUES (?, ?, ?, ?, ?)';
    prepareSql(db, sql).run(
      row.id,
      `${row.customer_name} ${row.customer_organization ?? ''}`,
      row.memo,
      `${row.id} ${row.subscription_id} ${row.text_view ?? ''} ${row.words ?? ''}`,
      statementStates[row.state]!,
    );
    prepareSql(db, 'DELETE FROM statement_unindexed WHERE id = ?').run(row.id);
  }
  return rows.length;
}
