import { FilePlus2, FileUp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { BankAccount, BankStatement, Site } from '../../contract/index.ts';
import { describeBankStatementContinuity } from '../../domain/labels/bank.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { DateField } from '../controls/date-field.tsx';
import { SelectField, TextInput } from '../controls/form-fields.tsx';
import { Money } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { FormDialog } from '../layout/form-dialog.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { DetailPane } from '../layout/screen-layout.tsx';
import { closeDialog, openDialog, showNotice } from '../navigation/window-state.ts';
import { formatDate } from '../texts/date-times.ts';
import { parseAmount } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { openBankImport } from './bank-route.ts';
import { uploadFile } from './upload-file.ts';

const text = texts.bank.statements;

/** Lists the bank statements of all accounts with their balances, and whether each one joins the previous one. */
export function BankStatementList({ site }: { readonly site: Site }) {
  const { data, error } = useQuery('bank.statements', { site: site.site });
  return (
    <DetailPane
      label={text.title}
      head={<h2>{text.title}</h2>}
      actions={
        <>
          <Button kind="quiet" icon={FilePlus2} onPress={() => openDialog({ kind: 'addBankStatement' })}>
            {text.add}
          </Button>
          <CommandButton id="view.closeDetail" kind="quiet" iconOnly />
        </>
      }
    >
      <div className="detail-body">
        {error && <ErrorMessage error={error} />}
        {!data && !error && <Skeleton />}
        {data?.length === 0 && <p>{text.empty}</p>}
        <ul className="bank-imports">
          {data?.map((each) => (
            <StatementRow key={each.id} statement={each} />
          ))}
        </ul>
      </div>
    </DetailPane>
  );
}

function StatementRow({ statement }: { readonly statement: BankStatement }) {
  const { id, account, number, currency, from, to, source } = statement;
  const importId = statement.import;
  return (
    <li className="bank-import">
      <b>
        {account.name} · {formatDate(from)} – {formatDate(to)}
        {number !== null && ` · ${text.number(number)}`}
      </b>
      <span>
        <Money cents={statement.opening_in_cents} currency={currency} /> →{' '}
        <Money cents={statement.closing_in_cents} currency={currency} />
      </span>
      <span className="fineprint">
        {describeBankStatementContinuity(statement)} ·{' '}
        {importId === null ? (
          <>
            {text.enteredBy(statement.user, source.file)} ·{' '}
            <Link onPress={() => openDialog({ kind: 'removeBankStatement', id })}>{text.remove}</Link>
          </>
        ) : (
          <Link onPress={() => openBankImport(importId)}>{source.file}</Link>
        )}
      </span>
    </li>
  );
}

const emptyDraft = { account: '', number: '', from: '', to: '', opening: '', closing: '' };

/** Dialog for entering the balances of a bank statement, with its file attached as the source. */
export function AddBankStatementDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { data: accounts = [] } = useQuery('bank.accounts', { site });
  const [draft, setDraft] = useState(emptyDraft);
  const [file, setFile] = useState<File | null>(null);
  const change = (name: keyof typeof emptyDraft) => (value: string) => setDraft({ ...draft, [name]: value });
  const saving = useAction(async (source: File, balances: { opening: number; closing: number }) =>
    client.bank.addStatement({
      site,
      account: Number(draft.account),
      from: draft.from,
      to: draft.to,
      opening_in_cents: balances.opening,
      closing_in_cents: balances.closing,
      upload: await uploadFile(client, site, source, () => undefined),
      ...(draft.number.trim() === '' ? {} : { number: draft.number.trim() }),
    }),
  );
  const [opening, closing] = [parseAmount(draft.opening), parseAmount(draft.closing)];
  const reason = findMissingField(draft, { opening, closing, file });
  const save = async () => {
    if (reason !== null || file === null || opening === null || closing === null) return;
    if (!(await saving.run(file, { opening, closing }))) return;
    closeDialog();
    showNotice(text.added, 'good');
  };
  return (
    <FormDialog
      title={text.addTitle}
      submitLabel={text.save}
      action={saving}
      disabledReason={reason}
      onSubmit={save}
      site={site}
    >
      <p>{text.addText}</p>
      <SelectField
        label={texts.bank.columns.account}
        value={draft.account}
        onChange={change('account')}
        options={toAccountOptions(accounts)}
        placeholder={text.chooseAccount}
      />
      <div className="explain-pair">
        <DateField label={text.from} value={draft.from} onChange={change('from')} />
        <DateField label={text.to} value={draft.to} onChange={change('to')} />
        <TextInput label={text.opening} value={draft.opening} onChange={change('opening')} numeric />
        <TextInput label={text.closing} value={draft.closing} onChange={change('closing')} numeric />
      </div>
      <TextInput label={text.numberLabel} value={draft.number} onChange={change('number')} maxLength={60} />
      <FileTrigger onSelect={(files) => setFile(files?.[0] ?? null)}>
        <Button icon={FileUp}>{file === null ? text.chooseFile : file.name}</Button>
      </FileTrigger>
    </FormDialog>
  );
}

const toAccountOptions = (accounts: readonly BankAccount[]) =>
  accounts
    .filter(({ kind }) => kind !== 'ledger')
    .map(({ id, name }) => ({ value: String(id), label: name }));

/** Returns an error for the first missing or invalid field, or null if the form can be saved. */
function findMissingField(
  { account, from, to }: typeof emptyDraft,
  entered: { opening: number | null; closing: number | null; file: File | null },
): string | null {
  if (account === '') return text.chooseAccount;
  if (from === '' || to === '') return text.datesBad;
  if (from > to) return text.datesReversed;
  if (entered.opening === null || entered.closing === null) return text.balancesBad;
  return entered.file === null ? text.fileMissing : null;
}

/** Dialog for removing an entered bank statement. Requires a reason. */
export function RemoveBankStatementDialog({ site, id }: { readonly site: string; readonly id: number }) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.removeTitle(id)}
      submitLabel={text.removeNow}
      placeholder={text.removePlaceholder}
      size="small"
      danger
      focusReason
      onSubmit={(reason) => client.bank.removeStatement({ site, id, reason })}
      successText={() => text.removed}
    >
      <p>{text.removeText}</p>
    </ReasonDialog>
  );
}
