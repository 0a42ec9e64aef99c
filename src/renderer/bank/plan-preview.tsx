import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ImportPlan, PlanRow, PlanStatement, RowVerdict } from '../../contract/index.ts';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Choice, Radios } from '../controls/field.tsx';
import { Panel } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';
import { Sums } from './looks.tsx';
import { PlanRows } from './plan-rows.tsx';

const text = words.bank;
const SHOWN = 200;
const verdicts = ['new', 'duplicate', 'failed', 'skipped'] as const;

interface PlanPreviewProps {
  readonly site: string;
  readonly plan: ImportPlan;
  readonly answers: Readonly<Record<string, string>>;
  readonly onAnswer: (key: string, value: string) => void;
  /** Rows that come in although a line like them is held. */
  readonly kept: readonly number[];
  readonly onKeep: (rows: readonly number[]) => void;
}

/** What importing the file will do: the counts, what it asks, its balances, and its rows. */
export function PlanPreview({ site, plan, answers, onAnswer, kept, onKeep }: PlanPreviewProps) {
  const { rows, sums, questions, remarks, imported_before } = plan;
  return (
    <div className="bank-plan">
      <p className="bank-file-lead">
        <b>{plan.dialect === '' ? text.nothingRead : text.found(plan.dialect, rows.total)}</b>
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
                <TriangleAlert size={13} aria-hidden="true" />
                <span>{remark}</span>
                {rows.total > 0 && <span className="fineprint">{place}</span>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {rows.total > 0 && <Rows site={site} plan={plan} kept={kept} onKeep={onKeep} />}
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

type Shown = RowVerdict | 'all' | 'doubtful';

function Rows({ site, plan, kept, onKeep }: Pick<PlanPreviewProps, 'site' | 'plan' | 'kept' | 'onKeep'>) {
  const client = useClient();
  const [shown, setShown] = useState<Shown>(plan.rows.failed > 0 ? 'failed' : 'all');
  const [rows, setRows] = useState<readonly PlanRow[]>([]);
  const reading = useAction(async (of: string, which: Shown, after: string | null) => {
    const page = await client.bank.planRows({
      site,
      plan: of,
      limit: SHOWN,
      ...(after === null ? {} : { after }),
      ...(which === 'all'
        ? {}
        : which === 'doubtful'
          ? { verdict: ['new'], remarked: true }
          : { verdict: [which] }),
    });
    setRows((before) => (after === null ? page.rows : [...before, ...page.rows]));
    return page;
  });
  const { run } = reading;
  useEffect(() => {
    void run(plan.plan, shown, null);
  }, [run, plan, shown]);
  const { doubtful } = plan;
  const total = shown === 'all' ? plan.rows.total : shown === 'doubtful' ? doubtful : plan.rows[shown];
  const next = reading.done?.next ?? null;
  const [one] = plan.sums;
  return (
    <div>
      <div className="bank-file-head">
        <span className="fineprint" role="status">
          {text.rowsShown(rows.length, total)}
        </span>
        <Choice
          label={text.showRows}
          value={shown}
          onChange={setShown}
          options={[
            { value: 'all', label: text.allRows },
            ...(doubtful > 0 || shown === 'doubtful'
              ? [{ value: 'doubtful' as const, label: text.doubtful(doubtful) }]
              : []),
            ...verdicts
              .filter((verdict) => plan.rows[verdict] > 0 || verdict === shown)
              .map((value) => ({ value, label: text.verdicts[value] })),
          ]}
        />
      </div>
      {reading.error && <ErrorNote error={reading.error} site={site} />}
      <PlanRows
        rows={rows}
        currency={plan.sums.length === 1 ? (one?.currency ?? null) : null}
        kept={kept}
        onKeep={onKeep}
      />
      {next !== null && (
        <Button
          size="small"
          kind="quiet"
          pending={reading.running}
          onPress={() => void run(plan.plan, shown, next)}
        >
          {text.moreRows}
        </Button>
      )}
    </div>
  );
}
