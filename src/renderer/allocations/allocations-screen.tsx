import { CircleDot, Layers } from 'lucide-react';
import type { Site, SubscriptionComponent } from '../../contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { createChoiceField, createReadOnlyField, type FilterField } from '../filters/filter-field.ts';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { ListEmptyState, ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import type { ListFilters } from '../navigation/list-filters.ts';
import { openFilteredList, setListFilter, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { isDraftRoute, parseSubscriptionComponent } from './allocation-route.ts';
import { AllocationHistoryStatus } from './allocation-status.tsx';
import { AllocationDraftsScreen } from './drafts-screen.tsx';
import { SubscriptionComponentDetail } from './subscription-component-detail.tsx';

const text = texts.allocations;
const sortKeys = ['last_at', 'subscription_id'] as const;
const idOf = (component: SubscriptionComponent) => `${component.subscription_id}-${component.component_id}`;

/** Screen that lists the subscription components with their current quantities, or the allocation drafts. */
export function AllocationsScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  return isDraftRoute(item) ? (
    <AllocationDraftsScreen site={site} />
  ) : (
    <SubscriptionComponentsScreen site={site} />
  );
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
  const component = item === null ? null : parseSubscriptionComponent(item);
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
const column = createColumnFactories(titles);
const hidden = { startsHidden: true };
const columns: readonly GridColumn<SubscriptionComponent>[] = [
  {
    ...column.head('component', 180, { fillsSpace: true }),
    cell: (row) => (
      <span className="grid-strong">{row.component_name ?? text.unnamed(row.component_id)}</span>
    ),
    copy: (row) => ({ text: row.component_name ?? String(row.component_id) }),
  },
  column.text('customer', 170, 'customer_name'),
  column.id('subscription', 104, 'subscription_id', { sortKey: 'subscription_id' }),
  column.quantity('quantity', 92, 'quantity'),
  column.count('allocations', 100, 'allocations'),
  column.dateTime('last', 158, 'last_at', { sortKey: 'last_at' }),
  column.badge('state', 104, 'state', AllocationHistoryStatus),
  column.id('componentId', 112, 'component_id', hidden),
  column.text('source', 120, (row) => text.sources[row.source], hidden),
  column.dateTime('synced', 158, 'synced_at', { ...hidden, isPlain: true }),
];

const states = ['complete', 'waiting', 'missing', 'problem'] as const;

const fields: readonly FilterField<ListFilters['allocations']>[] = [
  createChoiceField('state', {
    label: text.filters.state,
    icon: CircleDot,
    options: states.map((value) => ({ value, label: text.states[value] })),
  }),
  createReadOnlyField('subscription_id', text.filters.subscription),
];

function componentMenu({ subscription_id }: SubscriptionComponent): MenuEntry[] {
  return [
    {
      id: 'only',
      label: texts.grid.onlyThis(titles.subscription, String(subscription_id)),
      run: () => setListFilter('allocations', { subscription_id }),
    },
    {
      id: 'statements',
      label: text.showStatements,
      run: () => openFilteredList('statements', { subscription_id }),
    },
  ];
}
