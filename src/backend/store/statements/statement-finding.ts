import type { Outputs, StatementHits } from '../../../contract/index.ts';
import { createSearchPattern, findPassages } from '../../../domain/text-search/index.ts';
import { encodeCursor, readPage } from '../lists/keyset-pagination.ts';
import { phraseExpression } from '../lists/search-expression.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import type { StatementQuery } from './statement-list.ts';
import { statementReading } from './statement-reading.ts';
import { selectStatements } from './statement-selection.ts';

export interface StatementFindQuery extends StatementQuery {
  words: string;
  match_case: boolean;
  whole_word: boolean;
  start_after_id?: number | undefined;
  backwards: boolean;
  after?: string | undefined;
  limit: number;
}

/**
 * Number of statements inspected together at first, at most, and per call. The index finds more than the exact words, but
 * its first result is usually one.
 */
const FIRST = 20;
const AT_ONCE = 400;
const MOST = 2_000;
/** Number of passages returned per statement. */
const PASSAGES = 3;

/** Returns the statements of a list whose PDFs contain the words, in either direction of the list. */
export function findInStatements(
  db: ReadableDb,
  { filter, sort, limit, ...query }: StatementFindQuery,
): Outputs['statements']['find'] {
  const pattern = createSearchPattern({ text: query.words, ...query });
  const expression = phraseExpression(query.words, ['text'], query.whole_word);
  if (pattern === null || expression === null) return { rows: [], next: null };

  const selection = selectStatements(db, filter);
  const match = selection.match === null ? expression : `(${selection.match}) AND ${expression}`;
  const direction = query.backwards ? (sort.direction === 'asc' ? 'desc' : 'asc') : sort.direction;
  const reading = statementReading(
    db,
    { ...selection, match: selection.match === '' ? '' : match },
    { ...sort, direction },
  );
  const { order } = reading;

  const rows: StatementHits[] = [];
  let after = query.after ?? cursorOf(db, order, query.start_after_id);
  let step = FIRST;
  for (let looked = 0; looked < MOST; looked += step, step = Math.min(step * 4, AT_ONCE)) {
    const page = readPage(db, reading, { after, limit: step });
    const keys = new Map(page.keys.map((key) => [Number(key.at(-1)), key]));
    for (const { words, ...statement } of wordsOf(db, [...keys.keys()])) {
      const said = findPassages(words, pattern, PASSAGES);
      if (said.count === 0) continue;
      const passages = said.passages.map((passage) => ({ source: 'pdf' as const, ...passage }));
      rows.push({ ...statement, count: said.count, passages });
      if (rows.length === limit) return { rows, next: encodeCursor(order, keys.get(statement.id)!) };
    }
    if (page.next === null) return { rows, next: null };
    after = page.next;
  }
  return { rows, next: after ?? null };
}

type Worded = Pick<StatementHits, 'id' | 'customer_name' | 'closed_at'> & { words: string };

/** Returns the text of these statements' latest PDFs in the given order. Statements without one are left out. */
function wordsOf(db: ReadableDb, ids: readonly number[]): Worded[] {
  return prepared<Worded>(
    db,
    `SELECT statement.id, customer_name, closed_at_text AS closed_at, words
     FROM json_each(?) AS wanted CROSS JOIN statement ON statement.id = wanted.value
     CROSS JOIN pdf ON pdf.statement_id = statement.id
       AND version = (SELECT max(version) FROM pdf WHERE pdf.statement_id = statement.id)
     CROSS JOIN pdf_words USING (sha256)
     ORDER BY wanted.key`,
  ).all(JSON.stringify(ids));
}

function cursorOf(
  db: ReadableDb,
  order: Parameters<typeof encodeCursor>[0],
  statement: number | undefined,
): string | undefined {
  if (statement === undefined) return undefined;
  const columns = order.columns.map(({ name }) => name).join(', ');
  const key = prepared<Values>(db, `SELECT ${columns} FROM statement WHERE id = ?`).raw().get(statement);
  return key === undefined ? undefined : encodeCursor(order, key);
}
