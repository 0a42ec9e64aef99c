import { Landmark, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { BankAccount, BankLine, BankLineFilter, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { Empty } from '../controls/pieces.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { Beside, Screen } from '../frame/screen.tsx';
import { ColumnChooser } from '../grid/column-chooser.tsx';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import type { Figure } from '../grid/sums.ts';
import { useFollow } from '../grid/use-follow.ts';
import { useList } from '../grid/use-list.ts';
import { useSort } from '../grid/use-sort.ts';
import { go, setFilter, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { AccountStrip } from './account-strip.tsx';
import { lineColumns } from './columns.tsx';
import { lineFields } from './fields.ts';
import { ImportDetail } from './import-detail.tsx';
import { ImportList } from './import-list.tsx';
import { LineDetail } from './line-detail.tsx';
import { Sums } from './looks.tsx';
import { placeIn } from './place.ts';
import './bank.css';

const text = words.bank;
const orders = ['booked_on', 'amount_in_cents'] as const;
const none: readonly BankAccount[] = [];
const figures: readonly Figure<BankLine>[] = [
  { cents: (row) => row.amount_in_cents, currency: (row) => row.currency },
];
const idOf = (row: BankLine) => row.id;
const itemOf = (row: BankLine) => String(row.id);

/** What banks and processors say: every line of every account, and where each came from. */
export function BankScreen({ site }: { readonly site: Site }) {
  const filter = useView((view) => view.filters.bank);
  const item = useView((view) => view.route.item);
  const [sort, setSort] = useSort('bank', orders);
  const { data: accounts = none } = useQuery('bank.accounts', { site: site.site });
  const fields = useMemo(() => lineFields(accounts), [accounts]);
  const grid = useList({
    name: 'bank',
    list: 'bank.lines',
    marks: 'bank.lineMarks',
    selection: { site: site.site, filter, sort },
    idOf,
  });
  const place = placeIn(item);
  useFollow(grid, place?.kind === 'line', itemOf);
  const sums = useStore(grid.state, (state) => state.first?.sums ?? null);
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <CommandButton id="bank.imports" kind="quiet" />
          <CommandButton id="bank.import" kind="primary" />
        </>
      }
    >
      {accounts.length > 0 && <AccountStrip accounts={accounts} filter={filter} />}
      <FilterBar screen="bank" search={text.search} fields={fields}>
        <ColumnChooser name="bank" columns={lineColumns} />
      </FilterBar>
      <Beside
        name="bank"
        width={460}
        list={
          <>
            <GridView
              name="bank"
              label={text.grid}
              grid={grid}
              columns={lineColumns}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => go({ item: itemOf(row) }, place?.kind === 'line')}
              onEscape={() => go({ item: null })}
              menu={(row) => narrowings(filter, row)}
              empty={<NoLines filter={filter} any={accounts.some(({ lines }) => lines > 0)} />}
            />
            <StatusBar grid={grid} one="line" figures={figures}>
              <Sums sums={sums} />
            </StatusBar>
          </>
        }
        detail={
          place?.kind === 'line' ? (
            <LineDetail site={site} id={place.id} />
          ) : place?.kind === 'import' ? (
            <ImportDetail site={site} id={place.id} />
          ) : place?.kind === 'imports' ? (
            <ImportList site={site} />
          ) : null
        }
      />
    </Screen>
  );
}

function narrowings(filter: BankLineFilter, row: BankLine): MenuEntry[] {
  const narrow = (change: Partial<BankLineFilter>) => () => setFilter('bank', { ...filter, ...change });
  const { payout_id } = row;
  return [
    {
      id: 'account',
      label: words.grid.onlyThis(text.columns.account, row.account.name),
      run: narrow({ account: [row.account.id] }),
    },
    {
      id: 'import',
      label: words.grid.onlyThis(text.filters.import, row.file),
      run: narrow({ import: row.import }),
    },
    ...(payout_id === null
      ? []
      : [
          {
            id: 'payout',
            label: words.grid.onlyThis(text.columns.payout, payout_id),
            run: narrow({ payout_id }),
          },
        ]),
  ];
}

function NoLines({ filter, any }: { readonly filter: BankLineFilter; readonly any: boolean }) {
  if (!any && Object.keys(filter).length === 0) {
    return (
      <Empty
        icon={Landmark}
        title={text.emptyTitle}
        action={<CommandButton id="bank.import" kind="primary" />}
      >
        {text.emptyText}
      </Empty>
    );
  }
  return (
    <Empty
      icon={SearchX}
      title={text.noneTitle}
      action={<Button onPress={() => setFilter('bank', {})}>{words.filters.clear}</Button>}
    >
      {text.noneText}
    </Empty>
  );
}
