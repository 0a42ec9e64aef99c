import { useQuery } from '../../backend/hooks.ts';
import { Sums } from '../../bank/looks.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { Money } from '../../controls/values.tsx';
import { ErrorNote } from '../../errors/error-note.tsx';
import { openPlace, placeOf } from '../../view/place.ts';
import { useSettled } from '../../view/use-settled.ts';
import { dateText } from '../../words/moments.ts';
import { words } from '../../words/words.ts';
import { contentOf, type RuleDraft } from './draft.ts';

const text = words.matchRules;
const SHOWN = 20;
/** Asking while typing, but not at every letter. */
const PAUSE_MS = 300;

/** What a rule would take now, while it is typed: how many lines, what they come to, and the first of them. Nothing is kept. */
export function RuleTrial({ site, draft }: { readonly site: string; readonly draft: RuleDraft }) {
  const settled = useSettled(draft, PAUSE_MS);
  // What its conditions take does not hang on the rule's name, nor on what is done with the lines.
  const { content } = contentOf({ ...settled, title: text.untitled, action: 'ignore' });
  const { data, error } = useQuery('match.tryRule', content && { site, ...content, limit: SHOWN });
  return (
    <Panel title={text.trying}>
      <div aria-live="polite">
        {content === null ? (
          <p className="fineprint">{text.notYet}</p>
        ) : (
          data && (
            <p>
              {text.tried(data.lines)} <Sums sums={data.sums} />
            </p>
          )
        )}
      </div>
      {content !== null && !draft.enabled && <p className="callout callout-warn">{text.triedOff}</p>}
      {content !== null && draft.action === 'tolerate' && <p className="fineprint">{text.triedTolerate}</p>}
      {error && <ErrorNote error={error} site={site} />}
      {content !== null && data && data.rows.length > 0 && (
        <>
          {data.rows.length < data.lines && <p className="fineprint">{text.triedFirst(data.rows.length)}</p>}
          <ul className="match-side">
            {data.rows.map((line) => (
              <li key={line.id}>
                <span>
                  <Link onPress={() => openPlace(placeOf.bankLine(line.id))}>
                    {line.description || words.matching.openLine}
                  </Link>
                  <small>
                    {dateText(line.booked_on)} · {line.account.name}
                    {line.reference !== null && ` · ${line.reference}`}
                    {line.counterparty !== null && ` · ${line.counterparty}`}
                  </small>
                </span>
                <Money cents={line.amount_in_cents - line.claimed_in_cents} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
