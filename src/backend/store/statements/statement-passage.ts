import type { FoundStatement, StatementPassage, StatementRow } from '../../../contract/index.ts';
import { createSearchPattern, findPassages } from '../../../domain/text-search/index.ts';
import { type SearchTerm, searchTerms } from '../lists/search-expression.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';

interface Spoken {
  id: number;
  memo: string | null;
  text: string | null;
  pdf: string | null;
}

/** Returns the rows with the passage in which each contains the search words. */
export function withPassages(
  db: ReadableDb,
  rows: readonly StatementRow[],
  search: string | undefined,
): FoundStatement[] {
  const patterns = searchTerms(search ?? '').flatMap((term) => patternOfTerm(term) ?? []);
  if (patterns.length === 0) return rows.map((row) => ({ ...row, passage: null }));
  const spoken = new Map(spokenBy(db, rows).map((each) => [each.id, each]));
  return rows.map((row) => ({ ...row, passage: passageOf(row, spoken.get(row.id), patterns) }));
}

/** Returns the pattern of a search term. A term is a whole word, or the beginning of one for a prefix. */
function patternOfTerm({ text, prefix }: SearchTerm): RegExp | null {
  const pattern = createSearchPattern({ text, whole_word: !prefix });
  return prefix && pattern !== null
    ? new RegExp(`(?<![\\p{L}\\p{N}_])${pattern.source}`, pattern.flags)
    : pattern;
}

const places = ['pdf', 'text', 'memo'] as const;

/** Returns the first passage with a word that the row itself does not show. */
function passageOf(
  row: StatementRow,
  spoken: Spoken | undefined,
  patterns: readonly RegExp[],
): StatementPassage | null {
  const shown = `${row.customer_name} ${row.customer_organization ?? ''} ${row.id} ${row.subscription_id}`;
  for (const pattern of patterns) {
    if (findPassages(shown, pattern, 0).count > 0) continue;
    for (const source of places) {
      const [passage] = findPassages(spoken?.[source] ?? '', pattern, 1).passages;
      if (passage) return { source, ...passage };
    }
  }
  return null;
}

function spokenBy(db: ReadableDb, rows: readonly StatementRow[]): Spoken[] {
  return prepared<Spoken>(
    db,
    `SELECT statement.id, memo, text_view AS text,
       (SELECT words FROM pdf JOIN pdf_words USING (sha256) WHERE pdf.statement_id = statement.id
        ORDER BY version DESC LIMIT 1) AS pdf
     FROM json_each(?) AS wanted CROSS JOIN statement ON statement.id = wanted.value
     LEFT JOIN statement_view ON statement_view.statement_id = statement.id`,
  ).all(JSON.stringify(rows.map(({ id }) => id)));
}
