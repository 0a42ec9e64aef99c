import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ImportPlan, PlanRow, PlanStatement, RowVerdict } from '../../contract/index.ts';
import { useAction, useClient } from '../backend/hooks.ts';
import { Choice, Radios } from '../controls/Field.tsx';
import { Panel } from '../controls/Pieces.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';
import { Sums } from './looks.tsx';
import { PlanRows } from './PlanRows.tsx';

const text = words.bank;
const SHOWN = 200;
const verdicts = ['new', 'duplicate', 'failed', 'skipped'] as const;

interface PlanPreviewProps {
  readonly site: string;
  readonly plan: ImportPlan;
  readonly answers: Readonly<Record<string, string>>;
  readonly onAnswer: (key: string, value: string) => void;
}

/** What importing the file will do: the counts, what it asks, its balances, and its rows. */
export function PlanPreview({ site, plan, answers, onAnswer }: PlanPreviewProps) {
  const { rows, sums, questions, remarks, imported_before } = plan;
  return (
    <div className="bank-plan">
      <p className="bank-file-lead">
        <b>{text.found(plan.dialect, rows.total)}</b>
        {verdicts
          .filter((verdict) => rows[verdict] > 0)
          .map((verdict) => (
            <span key={verdict} className={verdict === 'failed' ? 'bank-verdict-bad' : undefined}>
              {text.verdictCounts[verdict](rows[verdict])}
            </span>
          ))}
        <Sums sums={sums} />
      </p>
      {imported_before !== null && <p className="callout">{text.before(imported_before)}</p>}
      {questions.map(({ key, text: asked, readings }) => (
        <div key={key} className="callout callout-warn">
          <Radios
            label={asked}
            value={answers[key] ?? ''}
            onChange={(value) => onAnswer(key, value)}
            options={readings.map(({ value, label, examples }) => ({
              value,
              label,
              hint: examples.map(({ raw, meaning }) => text.example(raw, meaning)).join('; '),
            }))}
          />
        </div>
      ))}
      {plan.statements.map((statement) => (
        <Balances key={statement.place} statement={statement} />
      ))}
      {remarks.length > 0 && (
        <Panel title={text.remarks}>
          <ul className="bank-remarks">
            {remarks.map(({ place, text: remark }) => (
              <li key={`${place} ${remark}`}>
                <TriangleAlert size={13} aria-hidden="true" /> {remark}{' '}
                <span className="fineprint">{place}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Rows site={site} plan={plan} />
    </div>
  );
}

/** A file's own balances held against its lines. */
function Balances({ statement }: { readonly statement: PlanStatement }) {
  const { opening_in_cents, closing_in_cents, lines_in_cents, difference_in_cents, currency } = statement;
  if (difference_in_cents === null || currency === null) return null;
  const money = (cents: number | null) => (cents === null ? '' : moneyText(cents, currency));
  const foots = difference_in_cents === 0;
  const Icon = foots ? CircleCheck : CircleAlert;
  return (
    <p className={`callout ${foots ? 'callout-good' : 'callout-bad'}`}>
      <Icon size={16} aria-hidden="true" />
      <span>
        <b>{foots ? text.foots : text.doesNotFoot(money(difference_in_cents))}</b>
        <br />
        {text.opening} {money(opening_in_cents)} · {text.linesSum} {money(lines_in_cents)} · {text.closing}{' '}
        {money(closing_in_cents)}
      </span>
    </p>
  );
}

function Rows({ site, plan }: { readonly site: string; readonly plan: ImportPlan }) {
  const client = useClient();
  const [shown, setShown] = useState<RowVerdict | 'all'>(plan.rows.failed > 0 ? 'failed' : 'all');
  const reading = useAction((of: string, verdict: RowVerdict | 'all') =>
    client.bank.planRows({
      site,
      plan: of,
      limit: SHOWN,
      ...(verdict === 'all' ? {} : { verdict: [verdict] }),
    }),
  );
  const { run } = reading;
  useEffect(() => {
    void run(plan.plan, shown);
  }, [run, plan, shown]);
  const rows: readonly PlanRow[] = reading.done?.rows ?? [];
  const total = shown === 'all' ? plan.rows.total : plan.rows[shown];
  const [one] = plan.sums;
  return (
    <section aria-label={text.planGrid}>
      <div className="bank-file-head">
        <span className="fineprint">{text.rowsShown(rows.length, total)}</span>
        <Choice
          label={text.showRows}
          value={shown}
          onChange={setShown}
          options={[
            { value: 'all', label: text.allRows },
            ...verdicts
              .filter((verdict) => plan.rows[verdict] > 0)
              .map((value) => ({ value, label: text.verdicts[value] })),
          ]}
        />
      </div>
      {reading.error && <ErrorNote error={reading.error} site={site} />}
      <PlanRows rows={rows} currency={plan.sums.length === 1 ? (one?.currency ?? null) : null} />
    </section>
  );
}
