import type { SearchResults } from '../../../contract/index.ts';
import { getBankLineSearchConditions, listBankLinesById } from '../bank/bank-line-list.ts';
import { getExceptionSearchConditions, listExceptionsById } from '../checks/exception-list.ts';
import { parseSearchTerms, type SearchTerm, toAlternativesExpression } from '../lists/search-expression.ts';
import { joinConditions, type SqlConditions, whereIf } from '../lists/sql-conditions.ts';
import { getPaymentSearchConditions, listPaymentsById } from '../matching/match-payment-list.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { listStatementsById } from '../statements/statement-list.ts';
import { addSearchPassages } from '../statements/statement-search-passages.ts';
import { findSubscription, getSubscriptionSearchConditions } from '../statements/subscription-list.ts';
import { listWebhooksById } from '../webhooks/webhook-list.ts';
import { countUnindexedRecords } from './search-index.ts';

/** Maximum number of newest rows to search by text comparison, so that a search takes less than 50 ms. */
const MAX_COMPARED_ROWS = 5_000;
/** Minimum length of a last word that is completed, because the user may still be typing. */
const MIN_PREFIX_LENGTH = 3;
/** Maximum number of event names into which a search word expands. */
const MAX_EVENTS = 20;

interface FoundIds {
  readonly ids: number[];
  readonly complete: boolean;
}

/** Finds up to `limit` records of each kind that contain the words of `text`. The last word may be incomplete. */
export function findRecords(
  { cache, books }: { readonly cache: ReadableDb; readonly books: ReadableDb },
  { text, limit }: { readonly text: string; readonly limit: number },
): SearchResults {
  const most = limit + 1;
  const toSection = <Row>({ ids, complete }: FoundIds, readRows: (ids: number[]) => Row[]) => ({
    rows: readRows(ids.slice(0, limit)),
    more: ids.length > limit,
    complete,
  });
  const typed = completeLastWord(text);
  const comparing = (
    db: ReadableDb,
    table: 'bank_line' | 'match_payment' | 'exception',
    search: SqlConditions,
  ) => findInNewestRows(db, { table, idColumn: 'id', search, most });
  const unremoved = whereIf('removed = 0');
  return {
    customers: toSection(
      findInNewestRows(cache, {
        table: 'subscription',
        idColumn: 'subscription_id',
        search: getSubscriptionSearchConditions(text),
        most,
      }),
      (ids) => ids.flatMap((id) => findSubscription(cache, id) ?? []),
    ),
    statements: toSection(findStatementIds(cache, text, most), (ids) =>
      addSearchPassages(cache, listStatementsById(cache, ids), typed),
    ),
    payments: toSection(
      comparing(books, 'match_payment', joinConditions(getPaymentSearchConditions(text), unremoved)),
      (ids) => listPaymentsById(books, ids),
    ),
    lines: toSection(
      comparing(books, 'bank_line', joinConditions(getBankLineSearchConditions(text), unremoved)),
      (ids) => listBankLinesById(books, ids),
    ),
    exceptions: toSection(comparing(books, 'exception', getExceptionSearchConditions(text)), (ids) =>
      listExceptionsById(cache, books, ids),
    ),
    webhooks: toSection(findWebhookIds(cache, text, most), (ids) => listWebhooksById(cache, ids)),
    unsearched: countUnindexedRecords(cache),
  };
}

/** Compares the newest rows of a table with the search. */
function findInNewestRows(
  db: ReadableDb,
  options: {
    readonly table: 'bank_line' | 'match_payment' | 'exception' | 'subscription';
    readonly idColumn: 'id' | 'subscription_id';
    readonly search: SqlConditions;
    readonly most: number;
  },
): FoundIds {
  const { table, idColumn, search, most } = options;
  const oldestSql = `SELECT ${idColumn} FROM ${table} ORDER BY ${idColumn} DESC LIMIT 1 OFFSET ${MAX_COMPARED_ROWS}`;
  const oldest = select.value<number>(db, oldestSql);
  const sql = `SELECT ${idColumn} FROM ${table} WHERE ${idColumn} > ? AND ${search.where.join(' AND ')}
     ORDER BY ${idColumn} DESC LIMIT ?`;
  const ids = select.values<number>(db, sql, oldest ?? -1, ...search.bound, most);
  return { ids, complete: oldest === null };
}

function findStatementIds(cache: ReadableDb, text: string, most: number): FoundIds {
  const terms = parseSearchTerms(completeLastWord(text)).map((term) => [term]);
  const expression = toAlternativesExpression(terms, ['customer', 'memo', 'text']);
  return findInIndex(cache, { kind: 'statement', text, expression, most });
}

/** Finds webhooks by complete words. A prefix would read the index entries of a large share of all webhooks. */
function findWebhookIds(cache: ReadableDb, text: string, most: number): FoundIds {
  const terms = parseSearchTerms(text).map((term) => [term, ...listEventTerms(cache, term)]);
  const expression = toAlternativesExpression(terms, ['body', 'event', 'error']);
  return findInIndex(cache, { kind: 'webhook', text, expression, most });
}

/** Returns the event names that begin with a word. The index stores a name like `payment_failure` as one word. */
function listEventTerms(cache: ReadableDb, { text }: SearchTerm): SearchTerm[] {
  if (text.length < MIN_PREFIX_LENGTH) return [];
  const sql = 'SELECT DISTINCT event FROM webhook_class WHERE substr(event, 1, ?) = ? AND event <> ? LIMIT ?';
  const word = text.toLowerCase();
  const events = select.values<string>(cache, sql, word.length, word, word, MAX_EVENTS);
  return events.map((event) => ({ text: event, prefix: false }));
}

/** Finds records in the search index, plus the record with the text as its id, which may not be indexed yet. */
function findInIndex(
  cache: ReadableDb,
  search: {
    readonly kind: 'statement' | 'webhook';
    readonly text: string;
    readonly expression: string | null;
    readonly most: number;
  },
): FoundIds {
  const { kind, text, expression, most } = search;
  if (expression === null) return { ids: [], complete: true };
  const id = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  const own = select.values<number>(cache, `SELECT id FROM ${kind} WHERE id = ?`, id);
  const sql = `SELECT rowid FROM ${kind}_fts WHERE ${kind}_fts MATCH ? ORDER BY rowid DESC LIMIT ?`;
  const found = select.values<number>(cache, sql, expression, most);
  return { ids: [...new Set([...own, ...found])], complete: true };
}

/** Marks the last word as a prefix, unless it is short, quoted or already a prefix. */
function completeLastWord(text: string): string {
  const last = /[\p{L}\p{N}]+$/u.exec(text)?.[0] ?? '';
  const isQuoted = (text.match(/"/g)?.length ?? 0) % 2 === 1;
  return last.length >= MIN_PREFIX_LENGTH && !isQuoted ? `${text}*` : text;
}
