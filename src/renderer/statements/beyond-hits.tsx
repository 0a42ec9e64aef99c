import { useState } from 'react';
import type { Site, StatementHits } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { DateTime } from '../controls/values.tsx';
import { navigate } from '../navigation/window-state.ts';
import { openAtMatch, useFindState } from '../pdf/find-state.ts';
import { PassageLine } from '../pdf/passage-line.tsx';
import { texts } from '../texts/texts.ts';
import { soughtIn } from './beyond.ts';
import { useStatementList } from './order.ts';

const text = texts.pdf;
const FIRST = 20;
const MOST = 100;

/** The other statements of the list whose PDFs say what is sought; a press opens the place. */
export function BeyondHits({ site, id }: { readonly site: Site; readonly id: number }) {
  const sought = soughtIn(useFindState());
  const list = useStatementList(site.site);
  const [limit, setLimit] = useState(FIRST);
  const { data, loading } = useQuery('statements.find', sought && { ...list, ...sought, limit });
  if (!sought) return null;
  const others = data?.rows.filter((row) => row.id !== id) ?? [];
  return (
    <>
      <h3>{text.beyond}</h3>
      {others.map((found) => (
        <Saying key={found.id} found={found} />
      ))}
      {others.length === 0 && <p className="pdf-side-note">{loading ? text.asking : text.noneBeyond}</p>}
      {data?.next && limit < MOST && (
        <Button size="small" onPress={() => setLimit(MOST)}>
          {text.more}
        </Button>
      )}
    </>
  );
}

function Saying({ found }: { readonly found: StatementHits }) {
  const { id, customer_name, closed_at, count, passages } = found;
  return (
    <section className="pdf-other-documents" aria-label={texts.statements.detail(id)}>
      <h4>
        {customer_name} <DateTime at={closed_at} precision="day" /> <span>{count}</span>
      </h4>
      <ul>
        {passages.map((passage, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same words may stand there twice
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
