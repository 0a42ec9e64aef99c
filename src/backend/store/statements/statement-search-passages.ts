import type { StatementRow, StatementSearchPassage, StatementSearchResult } from '../../../contract/index.ts';
import { createSearchPattern, findTextPassages } from '../../../domain/text-search/index.ts';
import { parseSearchTerms, type SearchTerm } from '../lists/search-expression.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';

interface SearchableTexts {
  id: number;
  memo: string | null;
  text: string | null;
  pdf: string | null;
}

/** Adds to each row the text passage that contains the search words. */
export function addSearchPassages(
  db: ReadableDb,
  rows: readonly StatementRow[],
  search: string | undefined,
): StatementSearchResult[] {
  const patterns = parseSearchTerms(search ?? '').flatMap((term) => toSearchPattern(term) ?? []);
  if (patterns.length === 0) return rows.map((row) => ({ ...row, passage: null }));
  const texts = new Map(readSearchableTexts(db, rows).map((each) => [each.id, each]));
  return rows.map((row) => ({ ...row, passage: findPassage(row, texts.get(row.id), patterns) }));
}

/** Returns a pattern for a search term: the whole word, or the beginning of a word for a prefix. */
function toSearchPattern({ text, prefix }: SearchTerm): RegExp | null {
  const pattern = createSearchPattern({ text, whole_word: !prefix });
  return prefix && pattern !== null
    ? new RegExp(`(?<![\\p{L}\\p{N}_])${pattern.source}`, pattern.flags)
    : pattern;
}

const passageSources = ['pdf', 'text', 'memo'] as const;

/** Returns the first text passage with a search word that the row does not show itself. */
function findPassage(
  row: StatementRow,
  texts: SearchableTexts | undefined,
  patterns: readonly RegExp[],
): StatementSearchPassage | null {
  const rowText = `${row.customer_name} ${row.customer_organization ?? ''} ${row.id} ${row.subscription_id}`;
  for (const pattern of patterns) {
    if (findTextPassages(rowText, pattern, 0).count > 0) continue;
    for (const source of passageSources) {
      const [passage] = findTextPassages(texts?.[source] ?? '', pattern, 1).passages;
      if (passage) return { source, ...passage };
    }
  }
  return null;
}

function readSearchableTexts(db: ReadableDb, rows: readonly StatementRow[]): SearchableTexts[] {
  const sql = `SELECT statement.id, memo, text_view AS text,
       (SELECT text FROM pdf JOIN pdf_text USING (sha256) WHERE pdf.statement_id = statement.id
        ORDER BY version DESC LIMIT 1) AS pdf
     FROM json_each(?) AS wanted CROSS JOIN statement ON statement.id = wanted.value
     LEFT JOIN statement_view ON statement_view.statement_id = statement.id`;
  return select.rows<SearchableTexts>(db, sql, JSON.stringify(rows.map(({ id }) => id)));
}
