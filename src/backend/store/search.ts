import { hash } from 'node:crypto';
import type { Unsearched } from '../../contract/index.ts';
import { commit, prepared, type ReadableDb, type WritableDb } from './database.ts';
import { statementStates } from './statements/statement.ts';
import { type BodyForm, storedPairs } from './webhooks/body.ts';
import { asSent, urlGroup } from './webhooks/webhook.ts';

/** What is found by its words. */
export type Searched = 'webhooks' | 'statements';

/**
 * Brings the search up to what is stored, a batch of at most `limit` rows in a transaction of its own: to be called behind
 * the writes until it gives 0, so that they are not held up. What is waiting is kept in the store, so nothing is lost when the
 * process ends. Gives how many rows it indexed.
 */
export function indexSearch(db: WritableDb, limit = 500, of?: Searched): number {
  return commit(db, () => {
    const webhooks = of === 'statements' ? 0 : indexWebhooks(db, limit);
    return webhooks + (of === 'webhooks' ? 0 : indexStatements(db, limit - webhooks));
  });
}

/** Rows that a search does not find yet, or not as they are now, and PDFs whose words are not drawn. */
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
    const values = storedPairs(row.body, row.body_form).map(([, value]) => value);
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
  /** What its newest PDF says, as far as the archive has it. */
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

/** The tokens of the column `narrow`: they carry filters into the index. */
export const deliveryToken = (delivery: number): string => `d${delivery}`;
export const urlToken = (url: string): string => `u${hash('sha1', url).slice(0, 16)}`;

/** Words of a search that are looked at; the rest is left out. */
const MOST_WORDS = 8;
/** A shorter beginning of a word would match half of all there is. */
const SHORTEST_PREFIX = 3;

/**
 * A person's words as an FTS5 expression over `columns`: all of them must occur, a "quoted phrase" in this order, and
 * `word*` stands for every word with that beginning. Null where there is nothing to look for (no letter and no digit).
 */
export function searchExpression(text: string, columns: readonly string[]): string | null {
  const terms = searchTerms(text).map(term);
  return terms.length === 0 ? null : `{${columns.join(' ')}} : (${terms.join(' AND ')})`;
}

/** A word or a phrase of a search; a prefix stands for every word with that beginning. */
export interface SearchTerm {
  text: string;
  prefix: boolean;
}

/** What a person's words ask for. */
export function searchTerms(text: string): SearchTerm[] {
  return [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)]
    .map(([word, phrase]) => readTerm(phrase ?? word, phrase === undefined))
    .filter((each) => each !== null)
    .slice(0, MOST_WORDS);
}

/** What stands in a document as it was typed: these words in this order, of the last one only the beginning unless it is `whole`. */
export function phraseExpression(text: string, columns: readonly string[], whole: boolean): string | null {
  const phrase = text.replace(/\p{C}/gu, ' ').trim();
  if (!hasWord(phrase)) return null;
  const last = /[\p{L}\p{N}_]+$/u.exec(phrase)?.[0] ?? '';
  const prefix = !whole && last.length >= SHORTEST_PREFIX;
  return `{${columns.join(' ')}} : (${term({ text: phrase, prefix })})`;
}

/** Rows with one of these texts in a column; null where an index of words cannot tell. */
export function oneOf(column: string, texts: readonly string[]): string | null {
  if (texts.length === 0 || !texts.every(hasWord)) return null;
  return `${column} : (${texts.map(quoted).join(' OR ')})`;
}

/** Rows with all of these texts in a column; null where there are none. */
export function allOf(column: string, texts: readonly string[]): string | null {
  return texts.length === 0 ? null : `${column} : (${texts.map(quoted).join(' AND ')})`;
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function readTerm(text: string, mayBePrefix: boolean): SearchTerm | null {
  const plain = text.replace(/\p{C}/gu, ' ');
  if (!hasWord(plain)) return null;
  const prefix = mayBePrefix && plain.endsWith('*') && plain.length > SHORTEST_PREFIX;
  return { text: plain.replace(/\*+$/, ''), prefix };
}

function term({ text, prefix }: SearchTerm): string {
  return quoted(text) + (prefix ? '*' : '');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
