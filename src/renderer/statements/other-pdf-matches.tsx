import { useState } from 'react';
import type { Site, StatementHits } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { DateTime } from '../controls/values.tsx';
import { navigate } from '../navigation/window-state.ts';
import { openAtMatch, useFindState } from '../pdf/find-state.ts';
import { PassageLine } from '../pdf/passage-line.tsx';
import { texts } from '../texts/texts.ts';
import { toPdfSearch } from './pdf-search.ts';
import { useStatementListQuery } from './statement-list-query.ts';

const text = texts.pdf;
const INITIAL_LIMIT = 20;
const MAX_LIMIT = 100;

/** Lists search matches in the PDFs of the list's other statements. */
export function OtherPdfMatches({ site, id }: { readonly site: Site; readonly id: number }) {
  const search = toPdfSearch(useFindState());
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

function StatementMatches({ matches }: { readonly matches: StatementHits }) {
  const { id, customer_name, closed_at, count, passages } = matches;
  return (
    <section className="pdf-other-documents" aria-label={texts.statements.detail(id)}>
      <h4>
        {customer_name} <DateTime at={closed_at} precision="day" /> <span>{count}</span>
      </h4>
      <ul>
        {passages.map((passage, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two passages may have the same text
          <li key={place}>
            <button
              type="button"
              onClick={() => {
                openAtMatch({ name: text.name(id), page: passage.page ?? 1 });
                navigate({ item: String(id) }, true);
              }}
            >
              <PassageLine passage={passage} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
