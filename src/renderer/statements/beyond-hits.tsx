import { useState } from 'react';
import type { Site, StatementHits } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Moment } from '../controls/values.tsx';
import { arriveAt, useFinding } from '../pdf/finding.ts';
import { PassageLine } from '../pdf/passage-line.tsx';
import { go } from '../view/view.ts';
import { words } from '../words/words.ts';
import { soughtIn } from './beyond.ts';
import { useStatementList } from './order.ts';

const text = words.pdf;
const FIRST = 20;
const MOST = 100;

/** The other statements of the list whose PDFs say what is sought; a press opens the place. */
export function BeyondHits({ site, id }: { readonly site: Site; readonly id: number }) {
  const sought = soughtIn(useFinding());
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
    <section className="pdf-beyond" aria-label={words.statements.detail(id)}>
      <h4>
        {customer_name} <Moment at={closed_at} to="day" /> <span>{count}</span>
      </h4>
      <ul>
        {passages.map((passage, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same words may stand there twice
          <li key={place}>
            <button
              type="button"
              onClick={() => {
                arriveAt({ name: text.name(id), page: passage.page ?? 1 });
                go({ item: String(id) }, true);
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
