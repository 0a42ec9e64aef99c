import { useState } from 'react';
import type { BackendClient, ContractInputs, Site, StatementSearchHits } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { navigate } from '../navigation/window-state.ts';
import { openPdfFindBarAtMatch, type PdfSearchState, usePdfSearchState } from '../pdf/pdf-search-state.ts';
import { SearchPassageLine } from '../pdf/search-passage-line.tsx';
import { texts } from '../texts/texts.ts';
import { useStatementListQuery } from './statement-list-query.ts';

const text = texts.pdf;
const INITIAL_LIMIT = 20;
const MAX_LIMIT = 100;

/** Lists search matches in the PDFs of the list's other statements. */
export function OtherPdfMatches({ site, id }: { readonly site: Site; readonly id: number }) {
  const search = toPdfSearch(usePdfSearchState());
  const list = useStatementListQuery(site.site);
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const { data, loading } = useQuery('statements.find', search && { ...list, ...search, limit });
  if (!search) return null;
  const others = data?.rows.filter((row) => row.id !== id) ?? [];
  return (
    <>
      <h3>{text.otherStatements}</h3>
      {others.map((found) => (
        <StatementMatches key={found.id} matches={found} />
      ))}
      {others.length === 0 && (
        <p className="pdf-side-note">{loading ? text.searching : text.noOtherMatches}</p>
      )}
      {data?.next && limit < MAX_LIMIT && (
        <Button size="small" onPress={() => setLimit(MAX_LIMIT)}>
          {text.more}
        </Button>
      )}
    </>
  );
}

function StatementMatches({ matches }: { readonly matches: StatementSearchHits }) {
  const { id, customer_name, closed_at, count, passages } = matches;
  return (
    <section className="pdf-other-documents" aria-label={texts.statements.detail(id)}>
      <h4>
        {customer_name} <DateTime at={closed_at} precision="day" /> <span>{count}</span>
      </h4>
      <ul>
        {passages.map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two passages may have the same text
          <li key={index}>
            <button
              type="button"
              onClick={() => {
                openPdfFindBarAtMatch({ name: text.name(id), page: passage.page ?? 1 });
                navigate({ item: String(id) }, true);
              }}
            >
              <SearchPassageLine passage={passage} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type FindInput = ContractInputs['statements']['find'];

/** Returns the search parameters for the backend, or null without search text. Other PDFs are searched for phrases only. */
export function toPdfSearch({
  words,
  eachWord,
  matchCase,
  wholeWord,
}: Pick<PdfSearchState, 'words' | 'eachWord' | 'matchCase' | 'wholeWord'>): Pick<
  FindInput,
  'words' | 'match_case' | 'whole_word'
> | null {
  const plain = words.trim();
  return plain === '' || eachWord ? null : { words: plain, match_case: matchCase, whole_word: wholeWord };
}

/** Returns the next or previous statement in the list whose PDF matches the search, or null if there is none. */
export async function findNextMatchingStatement(
  client: BackendClient,
  input: Omit<FindInput, 'after' | 'limit'>,
): Promise<number | null> {
  let after: string | undefined;
  do {
    const { rows, next } = await client.statements.find({ ...input, limit: 1, after });
    const [found] = rows;
    if (found) return found.id;
    after = next ?? undefined;
  } while (after !== undefined);
  return null;
}
