import { CircleDot, Layers } from 'lucide-react';
import type { Site, SubscriptionComponent } from '../../contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { DateTime } from '../controls/values.tsx';
import type { FilterField } from '../filters/filter-field.ts';
import type { GridColumn } from '../grid/columns/columns.ts';
import {
  countColumn,
  dateTimeColumn,
  idColumn,
  quantityColumn,
  textColumn,
} from '../grid/columns/value-columns.tsx';
import { ListEmptyState } from '../list-screen/list-empty-state.tsx';
import { ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import {
  openFilteredScreen,
  type ScreenFilters,
  setFilter,
  useWindowState,
} from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { isDraftRoute, toSubscriptionComponent } from './allocation-route.ts';
import { SubscriptionComponentDetail } from './component-detail.tsx';
import { DraftsScreen } from './drafts-screen.tsx';
import { AllocationHistoryStatus } from './history-status.tsx';

const text = texts.allocations;
const sortKeys = ['last_at', 'subscription_id'] as const;
const idOf = (component: SubscriptionComponent) => `${component.subscription_id}-${component.component_id}`;

/** Screen that lists the subscription components with their current quantities, or the allocation drafts. */
export function AllocationsScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  return isDraftRoute(item) ? <DraftsScreen site={site} /> : <SubscriptionComponentsScreen site={site} />;
}

function SubscriptionComponentsScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  const list = useScreenList({
    screen: 'allocations',
    site: site.site,
    procedure: 'allocations.components',
    marksProcedure: 'allocations.componentMarks',
    sortKeys,
    idOf,
    isDetailOpen: item !== null,
  });
  const component = item === null ? null : toSubscriptionComponent(item);
  return (
    <ListScreen
      screen="allocations"
      title={text.title}
      actions={
        <>
          <CommandButton id="allocations.track" kind="quiet" />
          <CommandButton id="allocations.import" />
          <CommandButton id="allocations.drafts" />
        </>
      }
      list={list}
      searchLabel={text.search}
      fields={fields}
      label={text.grid}
      columns={columns}
      menu={componentMenu}
      empty={<ListEmptyState screen="allocations" icon={Layers} text={text} />}
      singular="component"
      detail={component && <SubscriptionComponentDetail key={item} site={site} component={component} />}
      detailWidth={560}
    />
  );
}

const titles = text.columns;
const columns: readonly GridColumn<SubscriptionComponent>[] = [
  {
    id: 'component',
    title: titles.component,
    width: 180,
    fillsSpace: true,
    cell: (row) => (
      <span className="grid-strong">{row.component_name ?? text.unnamed(row.component_id)}</span>
    ),
    copy: (row) => ({ text: row.component_name ?? String(row.component_id) }),
  },
  textColumn({ id: 'customer', title: titles.customer, width: 170 }, (row) => row.customer_name),
  idColumn(
    { id: 'subscription', title: titles.subscription, width: 104, sortKey: 'subscription_id' },
    (row) => row.subscription_id,
  ),
  quantityColumn({ id: 'quantity', title: titles.quantity, width: 92 }, (row) => row.quantity),
  countColumn({ id: 'allocations', title: titles.allocations, width: 100 }, (row) => row.allocations),
  dateTimeColumn({ id: 'last', title: titles.last, width: 158, sortKey: 'last_at' }, (row) => row.last_at),
  {
    id: 'state',
    title: titles.state,
    width: 104,
    cell: (row) => <AllocationHistoryStatus state={row.state} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  idColumn(
    { id: 'componentId', title: titles.componentId, width: 112, isHiddenByDefault: true },
    (row) => row.component_id,
  ),
  textColumn(
    { id: 'source', title: titles.source, width: 120, isHiddenByDefault: true },
    (row) => text.sources[row.source],
  ),
  {
    id: 'synced',
    title: titles.synced,
    width: 158,
    isHiddenByDefault: true,
    cell: (row) => <DateTime at={row.synced_at} />,
    copy: (row) => ({ text: row.synced_at ?? '' }),
  },
];

const states = ['complete', 'waiting', 'missing', 'problem'] as const;

const fields: readonly FilterField<ScreenFilters['allocations']>[] = [
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

function componentMenu({ subscription_id }: SubscriptionComponent): MenuEntry[] {
  return [
    {
      id: 'only',
      label: texts.grid.onlyThis(titles.subscription, String(subscription_id)),
      run: () => setFilter('allocations', { subscription_id }),
    },
    {
      id: 'statements',
      label: text.showStatements,
      run: () => openFilteredScreen('statements', { subscription_id }),
    },
  ];
}
