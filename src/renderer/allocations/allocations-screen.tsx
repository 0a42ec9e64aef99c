import { CircleDot, Layers } from 'lucide-react';
import type { AllocationPair, Site } from '../../contract/index.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Moment } from '../controls/values.tsx';
import type { FilterField } from '../filters/fields.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { Beside, Screen } from '../frame/screen.tsx';
import { ColumnChooser } from '../grid/column-chooser.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useFollow } from '../grid/use-follow.ts';
import { useList } from '../grid/use-list.ts';
import { useSort } from '../grid/use-sort.ts';
import { countColumn, idColumn, momentColumn, quantityColumn, textColumn } from '../grid/value-columns.tsx';
import { type Filters, go, setFilter, showFiltered, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { DraftsScreen } from './drafts-screen.tsx';
import { PairDetail } from './pair-detail.tsx';
import { PairStatus } from './pair-status.tsx';
import { isDraftPlace, pairIn } from './place.ts';

const text = words.allocations;
const orders = ['last_at', 'subscription_id'] as const;
const itemOf = (pair: AllocationPair) => `${pair.subscription_id}-${pair.component_id}`;

/** Which component of which subscription has how much, and since when; or the drafts of changes. */
export function AllocationsScreen({ site }: { readonly site: Site }) {
  const item = useView((view) => view.route.item);
  return isDraftPlace(item) ? <DraftsScreen site={site} /> : <PairsScreen site={site} />;
}

function PairsScreen({ site }: { readonly site: Site }) {
  const filter = useView((view) => view.filters.allocations);
  const item = useView((view) => view.route.item);
  const [sort, setSort] = useSort('allocations', orders);
  const grid = useList({
    name: 'allocations',
    list: 'allocations.pairs',
    marks: 'allocations.pairMarks',
    selection: { site: site.site, filter, sort },
    idOf: itemOf,
  });
  useFollow(grid, item !== null, itemOf);
  const pair = item === null ? null : pairIn(item);
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <CommandButton id="allocations.track" kind="quiet" />
          <CommandButton id="allocations.import" />
          <CommandButton id="allocations.drafts" />
        </>
      }
    >
      <FilterBar screen="allocations" search={text.search} fields={fields}>
        <ColumnChooser name="allocations" columns={columns} />
      </FilterBar>
      <Beside
        name="allocations"
        width={560}
        list={
          <>
            <GridView
              name="allocations"
              label={text.grid}
              grid={grid}
              columns={columns}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => go({ item: itemOf(row) }, item !== null)}
              onEscape={() => go({ item: null })}
              menu={menuOf}
              empty={<NoPairs filtered={Object.keys(filter).length > 0} />}
            />
            <StatusBar grid={grid} one="component" />
          </>
        }
        detail={pair && <PairDetail key={item} site={site} pair={pair} />}
      />
    </Screen>
  );
}

const titles = text.columns;
const columns: readonly Column<AllocationPair>[] = [
  {
    id: 'component',
    title: titles.component,
    width: 180,
    grows: true,
    cell: (row) => (
      <span className="grid-strong">{row.component_name ?? text.unnamed(row.component_id)}</span>
    ),
    copy: (row) => ({ text: row.component_name ?? String(row.component_id) }),
  },
  textColumn({ id: 'customer', title: titles.customer, width: 170 }, (row) => row.customer_name),
  idColumn(
    { id: 'subscription', title: titles.subscription, width: 104, sort: 'subscription_id' },
    (row) => row.subscription_id,
  ),
  quantityColumn({ id: 'quantity', title: titles.quantity, width: 92 }, (row) => row.quantity),
  countColumn({ id: 'allocations', title: titles.allocations, width: 100 }, (row) => row.allocations),
  momentColumn({ id: 'last', title: titles.last, width: 158, sort: 'last_at' }, (row) => row.last_at),
  {
    id: 'state',
    title: titles.state,
    width: 104,
    cell: (row) => <PairStatus state={row.state} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  idColumn(
    { id: 'componentId', title: titles.componentId, width: 112, hidden: true },
    (row) => row.component_id,
  ),
  textColumn(
    { id: 'source', title: titles.source, width: 120, hidden: true },
    (row) => text.sources[row.source],
  ),
  {
    id: 'synced',
    title: titles.synced,
    width: 158,
    hidden: true,
    cell: (row) => <Moment at={row.synced_at} />,
    copy: (row) => ({ text: row.synced_at ?? '' }),
  },
];

const states = ['held', 'waiting', 'missing', 'problem'] as const;

const fields: readonly FilterField<Filters['allocations']>[] = [
  {
    kind: 'choice',
    id: 'state',
    label: text.filters.state,
    icon: CircleDot,
    options: states.map((state) => ({ value: state, label: text.states[state] })),
    chosen: (filter) => (filter.state ? [filter.state] : []),
    choose: (filter, [value]) => ({ ...filter, state: states.find((state) => state === value) }),
  },
  {
    kind: 'fixed',
    id: 'subscription',
    label: text.filters.subscription,
    text: (filter) => (filter.subscription_id === undefined ? null : String(filter.subscription_id)),
    clear: (filter) => ({ ...filter, subscription_id: undefined }),
  },
];

function menuOf({ subscription_id }: AllocationPair): MenuEntry[] {
  return [
    {
      id: 'only',
      label: words.grid.onlyThis(titles.subscription, String(subscription_id)),
      run: () => setFilter('allocations', { subscription_id }),
    },
    {
      id: 'statements',
      label: text.showStatements,
      run: () => showFiltered('statements', { subscription_id }),
    },
  ];
}

function NoPairs({ filtered }: { readonly filtered: boolean }) {
  return filtered ? (
    <Empty
      icon={Layers}
      title={text.noneTitle}
      action={<Button onPress={() => setFilter('allocations', {})}>{words.filters.clear}</Button>}
    >
      {text.noneText}
    </Empty>
  ) : (
    <Empty icon={Layers} title={text.emptyTitle} action={<CommandButton id="sync.start" kind="primary" />}>
      {text.emptyText}
    </Empty>
  );
}
