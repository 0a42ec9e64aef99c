import type { ContractOutputs, StatementSearchHits } from '../../../contract/index.ts';
import { createSearchPattern, findTextPassages } from '../../../domain/text-search/index.ts';
import { encodeCursor, readListPage } from '../lists/keyset-pagination.ts';
import { toPhraseExpression } from '../lists/search-expression.ts';
import { prepareSql, type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';
import type { StatementQuery } from './statement-list.ts';
import { planStatementList } from './statement-list-plan.ts';
import { selectStatements } from './statement-selection.ts';

export interface StatementTextQuery extends StatementQuery {
  words: string;
  match_case: boolean;
  whole_word: boolean;
  start_after_id?: number | undefined;
  backwards: boolean;
  after?: string | undefined;
  limit: number;
}

/**
 * Sizes of the first and later batches, and maximum per call. The first batch is small, because the first statement
 * usually matches.
 */
const FIRST_BATCH = 20;
const MAX_BATCH = 400;
const MAX_INSPECTED = 2_000;
/** Maximum number of text passages returned per statement. */
const MAX_PASSAGES = 3;

/** Returns the statements of a list whose PDFs contain the words. Searches the list forward or backward. */
export function findTextInStatements(
  db: ReadableDb,
  { filter, sort, limit, ...query }: StatementTextQuery,
): ContractOutputs['statements']['find'] {
  const pattern = createSearchPattern({ text: query.words, ...query });
  const expression = toPhraseExpression(query.words, ['text'], query.whole_word);
  if (pattern === null || expression === null) return { rows: [], next: null };

  const selection = selectStatements(db, filter);
  const match = selection.match ? `(${selection.match}) AND ${expression}` : (selection.match ?? expression);
  const direction = query.backwards === (sort.direction === 'asc') ? 'desc' : 'asc';
  const plan = planStatementList(db, { ...selection, match }, { ...sort, direction });

  const rows: StatementSearchHits[] = [];
  let after = query.after ?? findCursorOfStatement(db, plan.order, query.start_after_id);
  let step = FIRST_BATCH;
  for (let count = 0; count < MAX_INSPECTED; count += step, step = Math.min(step * 4, MAX_BATCH)) {
    const page = readListPage(db, plan, { after, limit: step });
    const keys = new Map(page.keys.map((key) => [Number(key.at(-1)), key]));
    for (const hit of readHits(db, [...keys.keys()], pattern)) {
      rows.push(hit);
      if (rows.length === limit) return { rows, next: encodeCursor(plan.order, keys.get(hit.id)!) };
    }
    if (page.next === null) return { rows, next: null };
    after = page.next;
  }
  return { rows, next: after ?? null };
}

/** Yields the statements whose PDFs match the pattern, with their first matching passages. */
function* readHits(db: ReadableDb, ids: readonly number[], pattern: RegExp): Generator<StatementSearchHits> {
  for (const { words, ...statement } of readPdfTexts(db, ids)) {
    const { count, passages } = findTextPassages(words, pattern, MAX_PASSAGES);
    const pdfPassages = passages.map((passage) => ({ source: 'pdf' as const, ...passage }));
    if (count > 0) yield { ...statement, count, passages: pdfPassages };
  }
}

type StatementText = Pick<StatementSearchHits, 'id' | 'customer_name' | 'closed_at'> & { words: string };

/** Returns the texts of these statements' latest PDFs in the given order. Omits statements without text. */
function readPdfTexts(db: ReadableDb, ids: readonly number[]): StatementText[] {
  const sql = `SELECT statement.id, customer_name, closed_at_text AS closed_at, text AS words
     FROM json_each(?) AS wanted CROSS JOIN statement ON statement.id = wanted.value
     CROSS JOIN pdf ON pdf.statement_id = statement.id
       AND version = (SELECT max(version) FROM pdf WHERE pdf.statement_id = statement.id)
     CROSS JOIN pdf_text USING (sha256)
     ORDER BY wanted.key`;
  return select.rows<StatementText>(db, sql, JSON.stringify(ids));
}

function findCursorOfStatement(
  db: ReadableDb,
  order: Parameters<typeof encodeCursor>[0],
  statement: number | undefined,
): string | undefined {
  if (statement === undefined) return undefined;
  const columns = order.columns.map(({ name }) => name).join(', ');
  const key = prepareSql<SqlValues>(db, `SELECT ${columns} FROM statement WHERE id = ?`).raw().get(statement);
  return key === undefined ? undefined : encodeCursor(order, key);
}
