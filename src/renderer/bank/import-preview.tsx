import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type {
  ImportPlan,
  ImportPlanRow,
  ImportPlanStatement,
  ImportRowResult,
} from '../../contract/index.ts';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { RadioButtonGroup, SelectField } from '../controls/form-fields.tsx';
import { Panel } from '../controls/panel.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { ImportColumnList } from './import-columns.tsx';
import { ImportRowList } from './import-rows.tsx';
import { ReceivedAndPaidSums } from './status-badges.tsx';

const text = texts.bank;
const PAGE_SIZE = 200;
const verdicts = ['new', 'duplicate', 'failed', 'skipped'] as const;

interface ImportPreviewProps {
  readonly site: string;
  readonly plan: ImportPlan;
  readonly answers: Readonly<Record<string, string>>;
  readonly onAnswer: (key: string, value: string) => void;
  readonly includedDuplicates: readonly number[];
  readonly onIncludeDuplicates: (rows: readonly number[]) => void;
}

/** Previews an import with its counts, open questions, balance check, and rows. */
export function ImportPreview({
  site,
  plan,
  answers,
  onAnswer,
  includedDuplicates,
  onIncludeDuplicates,
}: ImportPreviewProps) {
  const { rows, sums, questions, remarks, imported_before } = plan;
  return (
    <div className="bank-plan">
      <p className="bank-file-lead">
        <b>{plan.dialect === '' ? text.nothingRead : text.formatAndRows(plan.dialect, rows.total)}</b>
        {verdicts
          .filter((verdict) => rows[verdict] > 0)
          .map((verdict) => (
            <span key={verdict} className={verdict === 'failed' ? 'bank-verdict-bad' : undefined}>
              {text.verdictCounts[verdict](rows[verdict])}
            </span>
          ))}
        <ReceivedAndPaidSums sums={sums} />
      </p>
      {imported_before !== null && <p className="callout">{text.importedBefore(imported_before)}</p>}
      {questions.map(({ key, text: question, readings }) => (
        <div key={key} className="callout callout-warn">
          <RadioButtonGroup
            label={question}
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
        <BalanceCheck key={statement.location} statement={statement} />
      ))}
      <ImportColumnList columns={plan.columns} />
      {remarks.length > 0 && (
        <Panel title={text.remarks}>
          <ul className="bank-remarks">
            {remarks.map(({ location, text: remark }) => (
              <li key={`${location} ${remark}`}>
                <TriangleAlert size={13} aria-hidden="true" />
                <span>{remark}</span>
                {rows.total > 0 && <span className="fineprint">{location}</span>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {rows.total > 0 && (
        <PreviewRows
          site={site}
          plan={plan}
          includedDuplicates={includedDuplicates}
          onIncludeDuplicates={onIncludeDuplicates}
        />
      )}
    </div>
  );
}

/** Shows whether the lines in the file add up to the difference between its opening and closing balances. */
function BalanceCheck({ statement }: { readonly statement: ImportPlanStatement }) {
  const { opening_in_cents, closing_in_cents, lines_in_cents, difference_in_cents, currency } = statement;
  if (difference_in_cents === null || currency === null) return null;
  const money = (cents: number | null) => (cents === null ? '' : formatMoney(cents, currency));
  const foots = difference_in_cents === 0;
  const Icon = foots ? CircleCheck : CircleAlert;
  return (
    <p className={`callout ${foots ? 'callout-good' : 'callout-bad'}`}>
      <Icon size={16} aria-hidden="true" />
      <span>
        <b>{foots ? text.balancesAgree : text.balancesDiffer(money(difference_in_cents))}</b>
        <br />
        {text.opening} {money(opening_in_cents)} · {text.linesSum} {money(lines_in_cents)} · {text.closing}{' '}
        {money(closing_in_cents)}
      </span>
    </p>
  );
}

type RowFilter = ImportRowResult | 'all' | 'doubtful';

function PreviewRows({
  site,
  plan,
  includedDuplicates,
  onIncludeDuplicates,
}: Pick<ImportPreviewProps, 'site' | 'plan' | 'includedDuplicates' | 'onIncludeDuplicates'>) {
  const client = useContractClient();
  const [shown, setShown] = useState<RowFilter>(plan.rows.failed > 0 ? 'failed' : 'all');
  const [rows, setRows] = useState<readonly ImportPlanRow[]>([]);
  const reading = useAction(async (of: string, which: RowFilter, after: string | null) => {
    const page = await client.bank.planRows({
      site,
      plan: of,
      limit: PAGE_SIZE,
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
  const { needs_review } = plan;
  const total = shown === 'all' ? plan.rows.total : shown === 'doubtful' ? needs_review : plan.rows[shown];
  const next = reading.done?.next ?? null;
  const [one] = plan.sums;
  return (
    <div>
      <div className="bank-file-head">
        <span className="fineprint" role="status">
          {text.rowsShown(rows.length, total)}
        </span>
        <SelectField
          label={text.showRows}
          value={shown}
          onChange={setShown}
          options={[
            { value: 'all', label: text.allRows },
            ...(needs_review > 0 || shown === 'doubtful'
              ? [{ value: 'doubtful' as const, label: text.toReview(needs_review) }]
              : []),
            ...verdicts
              .filter((verdict) => plan.rows[verdict] > 0 || verdict === shown)
              .map((value) => ({ value, label: text.verdicts[value] })),
          ]}
        />
      </div>
      {reading.error && <ErrorMessage error={reading.error} site={site} />}
      <ImportRowList
        rows={rows}
        currency={plan.sums.length === 1 ? (one?.currency ?? null) : null}
        includedDuplicates={includedDuplicates}
        onIncludeDuplicates={onIncludeDuplicates}
      />
      {next !== null && (
        <Button
          size="small"
          kind="quiet"
          isPending={reading.running}
          onPress={() => void run(plan.plan, shown, next)}
        >
          {text.moreRows}
        </Button>
      )}
    </div>
  );
}
