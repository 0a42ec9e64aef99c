import { Landmark, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { BankAccount, BankLine, BankLineFilter, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import type { SummedFigure } from '../grid/summary/sums.ts';
import { ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import { setFilter, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { AccountStrip } from './account-strip.tsx';
import { bankLineColumns } from './columns.tsx';
import { bankLineFilterFields } from './filter-fields.ts';
import { ImportDetail } from './import-detail.tsx';
import { ImportList } from './import-list.tsx';
import { LineDetail } from './line-detail.tsx';
import { parseBankRoute } from './route.ts';
import { MoneySums } from './status-badges.tsx';
import './bank.css';

const text = texts.bank;
const sortKeys = ['booked_on', 'amount_in_cents'] as const;
const none: readonly BankAccount[] = [];
const figures: readonly SummedFigure<BankLine>[] = [
  { cents: (row) => row.amount_in_cents, currency: (row) => row.currency },
];
const idOf = (row: BankLine) => row.id;

/** Screen that lists the bank lines of all accounts. */
export function BankScreen({ site }: { readonly site: Site }) {
  const filter = useWindowState((state) => state.filters.bank);
  const item = useWindowState((state) => state.route.item);
  const { data: accounts = none } = useQuery('bank.accounts', { site: site.site });
  const fields = useMemo(() => bankLineFilterFields(accounts), [accounts]);
  const route = parseBankRoute(item);
  const list = useScreenList({
    screen: 'bank',
    site: site.site,
    procedure: 'bank.lines',
    marksProcedure: 'bank.lineMarks',
    sortKeys,
    idOf,
    isDetailOpen: route?.kind === 'line',
  });
  const { grid } = list;
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
  return (
    <ListScreen
      screen="bank"
      title={text.title}
      actions={
        <>
          <CommandButton id="bank.imports" kind="quiet" />
          <CommandButton id="bank.import" kind="primary" />
        </>
      }
      header={accounts.length > 0 && <AccountStrip accounts={accounts} filter={filter} />}
      list={list}
      searchLabel={text.search}
      fields={fields}
      label={text.grid}
      columns={bankLineColumns}
      menu={(row) => filterMenu(filter, row)}
      empty={<NoLines filter={filter} hasLines={accounts.some(({ lines }) => lines > 0)} />}
      singular="line"
      figures={figures}
      statusBar={<MoneySums sums={sums} />}
      detail={
        route?.kind === 'line' ? (
          <LineDetail site={site} id={route.id} />
        ) : route?.kind === 'import' ? (
          <ImportDetail site={site} id={route.id} />
        ) : route?.kind === 'imports' ? (
          <ImportList site={site} />
        ) : null
      }
      detailWidth={460}
    />
  );
}

function filterMenu(filter: BankLineFilter, row: BankLine): MenuEntry[] {
  const narrow = (change: Partial<BankLineFilter>) => () => setFilter('bank', { ...filter, ...change });
  const { payout_id } = row;
  return [
    {
      id: 'account',
      label: texts.grid.onlyThis(text.columns.account, row.account.name),
      run: narrow({ account: [row.account.id] }),
    },
    {
      id: 'import',
      label: texts.grid.onlyThis(text.filters.import, row.file),
      run: narrow({ import: row.import }),
    },
    ...(payout_id === null
      ? []
      : [
          {
            id: 'payout',
            label: texts.grid.onlyThis(text.columns.payout, payout_id),
            run: narrow({ payout_id }),
          },
        ]),
  ];
}

function NoLines({ filter, hasLines }: { readonly filter: BankLineFilter; readonly hasLines: boolean }) {
  if (!hasLines && Object.keys(filter).length === 0) {
    return (
      <EmptyState
        icon={Landmark}
        title={text.emptyTitle}
        action={<CommandButton id="bank.import" kind="primary" />}
      >
        {text.emptyText}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      title={text.noneTitle}
      action={<Button onPress={() => setFilter('bank', {})}>{texts.filters.clear}</Button>}
    >
      {text.noneText}
    </EmptyState>
  );
}
