import { FileUp, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { LedgerPlan } from '../../../contract/index.ts';
import {
  useAction,
  useContractClient,
  useLatestOnlyAction,
  useQuery,
} from '../../backend-client/backend-hooks.ts';
import { SampleFiles } from '../../bank/sample-files.tsx';
import { uploadFile } from '../../bank/upload-file.ts';
import { Button } from '../../controls/button.tsx';
import { DateField } from '../../controls/date-field.tsx';
import { RadioButtonGroup } from '../../controls/form-fields.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { SortableTable, type TableColumn } from '../../grid/sortable-table/sortable-table.tsx';
import { FormDialog } from '../../layout/form-dialog.tsx';
import { closeDialog, showNotice } from '../../navigation/window-state.ts';
import { formatMoney } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { createCentsColumn, createCountColumn, createTextColumn } from './ledger-columns.tsx';

const text = texts.generalLedger.import;
const { accounts, areas, noArea, files } = texts.generalLedger;

/** Settings that the file leaves open. */
interface LedgerImportDraft {
  readonly answers: Readonly<Record<string, string>>;
  readonly asOn: string;
}

const emptyDraft: LedgerImportDraft = { answers: {}, asOn: '' };

/** Uploads a ledger file, and plans its import again after each change of the settings. */
function useLedgerImport(site: string) {
  const client = useContractClient();
  const [file, setFile] = useState<File | null>(null);
  const [upload, setUpload] = useState<string | null>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const toInput = (uploadId: string, { answers, asOn }: LedgerImportDraft) => ({
    site,
    upload: uploadId,
    answers: { ...answers },
    ...(asOn === '' ? {} : { as_on: asOn }),
  });
  const planning = useLatestOnlyAction((uploadId: string, from: LedgerImportDraft) =>
    client.ledger.plan(toInput(uploadId, from)),
  );
  const uploading = useLatestOnlyAction((opened: File) => uploadFile(client, site, opened, () => undefined));
  const importing = useAction((uploadId: string, replace: boolean) =>
    client.ledger.import({ ...toInput(uploadId, draft), replace }),
  );
  const openFile = async (opened: File) => {
    setFile(opened);
    setDraft(emptyDraft);
    setUpload(null);
    planning.reset();
    const uploaded = await uploading.run(opened);
    setUpload(uploaded);
    if (uploaded !== null) await planning.run(uploaded, emptyDraft);
  };
  const change = (changed: Partial<LedgerImportDraft>) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    if (upload !== null) void planning.run(upload, next);
  };
  return {
    ...{ file, upload, draft, openFile, change },
    plan: planning.done,
    isReading: uploading.running || planning.running,
    importing,
    error: uploading.error ?? planning.error,
  };
}

/** Dialog for importing a ledger file: it reads the file, previews the import, and runs it. */
export function ImportLedgerDialog({ site }: { readonly site: string }) {
  const { file, upload, draft, openFile, change, plan, isReading, importing, error } = useLedgerImport(site);
  const { data: samples = [] } = useQuery('ledger.offered', { site });
  const disabledReason =
    file === null ? text.noFile : plan === null || isReading ? text.reading : plan.blocker;
  const submit = async () => {
    if (disabledReason !== null || upload === null || plan === null) return;
    const done = await importing.run(upload, plan.replaces.length > 0);
    if (done === null) return;
    closeDialog();
    showNotice(text.done(done.rows, done.posted_entries.length), 'good');
  };
  return (
    <FormDialog
      title={text.title}
      size={plan === null ? 'regular' : 'large'}
      dismissable={file === null}
      submitLabel={text.submit(plan?.rows ?? 0)}
      action={importing}
      disabledReason={disabledReason}
      onSubmit={submit}
      site={site}
      tools={plan?.blocker && <span className="fineprint">{plan.blocker}</span>}
    >
      {file === null && <p>{text.text}</p>}
      <div className="report-formats">
        <FileTrigger
          acceptedFileTypes={['.csv', '.txt', '.xlsx']}
          onSelect={(chosen) => chosen?.[0] && void openFile(chosen[0])}
        >
          <Button icon={FileUp} kind={file === null ? 'primary' : 'plain'} autoFocus>
            {file === null ? text.chooseFile : text.otherFile}
          </Button>
        </FileTrigger>
        <span className="fineprint" role="status">
          {isReading ? text.reading : file?.name}
        </span>
      </div>
      {file === null && (
        <SampleFiles
          files={samples}
          onChoose={({ name, text: content }) =>
            void openFile(new File([content], name, { type: 'text/csv' }))
          }
        />
      )}
      {plan && <LedgerPlanPreview plan={plan} draft={draft} onChange={change} />}
      {error && <ErrorMessage error={error} site={site} />}
    </FormDialog>
  );
}

interface PreviewProps {
  readonly plan: LedgerPlan;
  readonly draft: LedgerImportDraft;
  readonly onChange: (changed: Partial<LedgerImportDraft>) => void;
}

/** Previews an import with its totals, open questions, and accounts. */
function LedgerPlanPreview({ plan, draft, onChange }: PreviewProps) {
  const { kind, dialect, rows, skipped, locked, first_on, last_on, currency } = plan;
  return (
    <div className="bank-plan">
      <p className="bank-file-lead">
        <b>{text.summary(dialect, rows)}</b>
        {kind !== null && <span>{files.kinds[kind]}</span>}
        {first_on !== null && last_on !== null && <span>{text.days(first_on, last_on)}</span>}
        <span>
          {text.sums(formatMoney(plan.debit_in_cents, currency), formatMoney(plan.credit_in_cents, currency))}
        </span>
        {skipped > 0 && <span>{text.skipped(skipped)}</span>}
        {locked > 0 && <span className="bank-verdict-bad">{text.locked(locked)}</span>}
      </p>
      {plan.replaces.length > 0 && (
        <p className="callout callout-warn">
          {text.replaces(plan.replaces.map(({ file }) => file).join(', '))}
        </p>
      )}
      <LedgerQuestions plan={plan} draft={draft} onChange={onChange} />
      {plan.problems.length > 0 && (
        <Panel title={text.problems}>
          <ul className="bank-remarks">
            {plan.problems.map(({ location, reason }) => (
              <li key={`${location} ${reason}`}>
                <TriangleAlert size={13} aria-hidden="true" />
                <span>{reason}</span>
                <span className="fineprint">{location}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {plan.accounts.length > 0 && (
        <SortableTable
          label={accounts.title}
          columns={accountColumns}
          rows={plan.accounts.map((account) => ({ ...account, currency }))}
          idOf={({ account }) => account}
        />
      )}
    </div>
  );
}

/** Asks for the settings that the file does not determine. */
function LedgerQuestions({ plan: { questions, kind, last_on }, draft, onChange }: PreviewProps) {
  const { answers, asOn } = draft;
  return (
    <>
      {questions.map(({ key, text: question, readings }) => (
        <div key={key} className="callout callout-warn">
          <RadioButtonGroup
            label={question}
            value={answers[key] ?? ''}
            onChange={(value) => onChange({ answers: { ...answers, [key]: value } })}
            options={readings.map(({ value, label, examples }) => ({
              value,
              label,
              hint: examples.map(({ raw, meaning }) => text.example(raw, meaning)).join('; '),
            }))}
          />
        </div>
      ))}
      {kind === 'balances' && (last_on === null || asOn !== '') && (
        <DateField label={text.asOn} value={asOn} onChange={(value) => onChange({ asOn: value })} />
      )}
    </>
  );
}

type PlanAccount = LedgerPlan['accounts'][number] & { readonly currency: string };
const accountColumns: readonly TableColumn<PlanAccount>[] = [
  createTextColumn('account', accounts.columns.account, ({ account }) => account),
  createTextColumn('name', accounts.columns.name, ({ name }) => name ?? ''),
  createTextColumn('area', accounts.columns.area, ({ area }) => (area === null ? noArea : areas[area])),
  createCountColumn('rows', accounts.columns.rows, ({ rows }) => rows),
  createCentsColumn('debit', files.columns.debit, ({ debit_in_cents }) => debit_in_cents),
  createCentsColumn('credit', files.columns.credit, ({ credit_in_cents }) => credit_in_cents),
];
