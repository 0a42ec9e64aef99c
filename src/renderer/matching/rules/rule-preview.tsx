import type { BankLine } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { ReceivedAndPaidSums } from '../../bank/status-badges.tsx';
import { Money } from '../../controls/formatted-values.tsx';
import { Panel } from '../../controls/panel.tsx';
import { useDebouncedValue } from '../../controls/use-debounced-value.ts';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { formatDate } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { BankLineItem } from '../shared/match-items.tsx';
import { type MatchRuleDraft, validateMatchRuleDraft } from './rule-draft.ts';

const text = texts.matchRules;
const PREVIEW_LINES = 20;
/** Delay between the last keystroke and fetching the preview, in milliseconds. Chosen by judgment. */
const DEBOUNCE_MS = 300;

/** Previews the number, the sums, and the first of the bank lines that a rule would match. Stores nothing. */
export function MatchRulePreview({ site, draft }: { readonly site: string; readonly draft: MatchRuleDraft }) {
  const settled = useDebouncedValue(draft, DEBOUNCE_MS);
  const titled = { ...settled, title: text.untitled };
  // The preview ignores an incomplete action, because the lines that a rule selects depend only on its conditions.
  const { content: complete } = validateMatchRuleDraft(titled);
  const content = complete ?? validateMatchRuleDraft({ ...titled, action: 'ignore' }).content;
  const { data, error } = useQuery('match.tryRule', content && { site, ...content, limit: PREVIEW_LINES });
  return (
    <Panel title={text.previewTitle}>
      <div aria-live="polite">
        {content === null ? (
          <p className="fineprint">{text.previewEmpty}</p>
        ) : (
          data && (
            <p>
              {text.previewCount(data.lines)} <ReceivedAndPaidSums sums={data.sums} />
            </p>
          )
        )}
      </div>
      {content !== null && !draft.enabled && <p className="callout callout-warn">{text.previewOff}</p>}
      {content !== null && draft.action === 'tolerate' && <p className="fineprint">{text.previewTolerate}</p>}
      {error && <ErrorMessage error={error} site={site} />}
      {content !== null && data && data.rows.length > 0 && (
        <>
          {data.rows.length < data.lines && (
            <p className="fineprint">{text.previewFirst(data.rows.length)}</p>
          )}
          <PreviewLines
            rows={data.rows}
            readAmount={(line) => line.amount_in_cents - line.claimed_in_cents}
          />
        </>
      )}
      {complete !== null && data?.right && <HistoryLines text={text.previewRight} history={data.right} />}
      {complete !== null && data?.wrong && <HistoryLines text={text.previewWrong} history={data.wrong} />}
    </Panel>
  );
}

interface HistoryLinesProps {
  readonly text: (count: number) => string;
  readonly history: { readonly count: number; readonly rows: readonly BankLine[] };
}

/** States how many matched lines a rule would have assigned in one way, and lists the first of them on request. */
function HistoryLines({ text: describe, history: { count, rows } }: HistoryLinesProps) {
  if (count === 0) return <p>{describe(0)}</p>;
  return (
    <details className="bank-more">
      <summary>{describe(count)}</summary>
      {rows.length < count && <p className="fineprint">{text.previewFirst(rows.length)}</p>}
      <PreviewLines rows={rows} readAmount={(line) => line.amount_in_cents} />
    </details>
  );
}

interface PreviewLinesProps {
  readonly rows: readonly BankLine[];
  readonly readAmount: (line: BankLine) => number;
}

function PreviewLines({ rows, readAmount }: PreviewLinesProps) {
  return (
    <ul className="match-side">
      {rows.map((line) => (
        <BankLineItem
          key={line.id}
          line={line}
          facts={[formatDate(line.booked_on), line.account.name, line.reference, line.counterparty]}
          amount={<Money cents={readAmount(line)} />}
        />
      ))}
    </ul>
  );
}
