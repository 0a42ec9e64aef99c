import { useMemo, useState } from 'react';
import type { LedgerAccount } from '../../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { SelectField, TextInput } from '../../controls/form-fields.tsx';
import { Panel } from '../../controls/panel.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { SortableTable, type TableColumn } from '../../grid/sortable-table/sortable-table.tsx';
import { EnterKeyForm } from '../../layout/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { createCountColumn, createTextColumn } from './ledger-columns.tsx';

const text = texts.generalLedger.accounts;
const { areas, noArea } = texts.generalLedger;

type Area = NonNullable<LedgerAccount['area']>;
interface AccountMapping {
  readonly account: string;
  readonly name?: string;
  readonly area: Area | null;
}

const NO_AREA = 'none';
const areaOptions = Object.entries(areas).map(([value, label]) => ({ value: value as Area, label }));
const optionsWithNone = [{ value: NO_AREA, label: noArea } as const, ...areaOptions];

function createColumns(map: (mapping: AccountMapping) => void): TableColumn<LedgerAccount>[] {
  return [
    createTextColumn('account', text.columns.account, ({ account }) => account),
    createTextColumn('name', text.columns.name, ({ name }) => name ?? ''),
    {
      id: 'area',
      title: text.columns.area,
      sortValue: ({ area }) => area,
      cell: ({ account, area }) => (
        <SelectField
          label={text.areaOf(account)}
          labelUnseen
          value={area ?? NO_AREA}
          onChange={(chosen) => map({ account, area: chosen === NO_AREA ? null : chosen })}
          options={optionsWithNone}
        />
      ),
      copy: ({ area }) => ({ text: area === null ? noArea : areas[area] }),
    },
    createCountColumn('rows', text.columns.rows, ({ lines, balances }) => lines + balances),
  ];
}

/** Panel for mapping ledger accounts to areas. */
export function LedgerAccountsPanel({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { data, error } = useQuery('ledger.accounts', { site });
  const mapping = useAction((account: AccountMapping) =>
    client.ledger.mapAccounts({ site, accounts: [account] }),
  );
  const { run } = mapping;
  const columns = useMemo(() => createColumns((account) => void run(account)), [run]);
  const failed = error ?? mapping.error;
  return (
    <Panel level={2} title={text.title}>
      <p className="prose">{text.lead}</p>
      {!data && !error && <Skeleton />}
      {data?.length === 0 && <p>{text.empty}</p>}
      {data && data.length > 0 && (
        <SortableTable label={text.title} columns={columns} rows={data} idOf={({ account }) => account} />
      )}
      <AddAccountForm onAdd={run} />
      {failed && <ErrorMessage error={failed} site={site} />}
    </Panel>
  );
}

/** Form for adding an account that no ledger file has named. */
function AddAccountForm({ onAdd }: { readonly onAdd: (account: AccountMapping) => Promise<unknown> }) {
  const [account, setAccount] = useState('');
  const [name, setName] = useState('');
  const [area, setArea] = useState<Area | ''>('');
  const isIncomplete = account.trim() === '' || area === '';
  const add = async () => {
    if (account.trim() === '' || area === '') return;
    const named = name.trim() === '' ? {} : { name: name.trim() };
    if (!(await onAdd({ account: account.trim(), area, ...named }))) return;
    setAccount('');
    setName('');
    setArea('');
  };
  return (
    <EnterKeyForm className="ledger-form" onSubmit={add}>
      <TextInput label={text.account} value={account} onChange={setAccount} maxLength={100} />
      <TextInput label={text.name} value={name} onChange={setName} maxLength={200} />
      <SelectField<Area | ''>
        label={text.area}
        value={area}
        onChange={setArea}
        placeholder={noArea}
        options={areaOptions}
      />
      <Button disabledReason={isIncomplete ? text.incomplete : null} onPress={() => void add()}>
        {text.add}
      </Button>
    </EnterKeyForm>
  );
}
