import { Users } from 'lucide-react';
import { useMemo } from 'react';
import type { Site, SubscriptionRow } from '../../contract/index.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Absent } from '../controls/values.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { Beside, Screen } from '../frame/screen.tsx';
import { ColumnChooser } from '../grid/column-chooser.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useFollow } from '../grid/use-follow.ts';
import { useList } from '../grid/use-list.ts';
import { useSort } from '../grid/use-sort.ts';
import { countColumn, idColumn, momentColumn, moneyColumn, textColumn } from '../grid/value-columns.tsx';
import { go, setFilter, showFiltered, useView } from '../view/view.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { SubscriptionStory } from './subscription-story.tsx';

const text = words.subscriptions;
const orders = ['subscription_id', 'customer_name', 'balance_in_cents'] as const;
const idOf = (row: SubscriptionRow) => row.subscription_id;
const itemOf = (row: SubscriptionRow) => String(row.subscription_id);

/** The subscriptions that statements, webhooks and allocations speak of. */
export function SubscriptionsScreen({ site }: { readonly site: Site }) {
  const filter = useView((view) => view.filters.subscriptions);
  const item = useView((view) => view.route.item);
  const [sort, setSort] = useSort('subscriptions', orders);
  const columns = useMemo(() => subscriptionColumns(site.currency), [site.currency]);
  const grid = useList({
    name: 'subscriptions',
    list: 'subscriptions.list',
    marks: 'subscriptions.marks',
    selection: { site: site.site, filter, sort },
    idOf,
  });
  useFollow(grid, item !== null, itemOf);
  return (
    <Screen title={text.title}>
      <FilterBar screen="subscriptions" search={text.search} fields={[]}>
        <ColumnChooser name="subscriptions" columns={columns} />
      </FilterBar>
      <Beside
        name="subscriptions"
        width={700}
        list={
          <>
            <GridView
              name="subscriptions"
              label={text.grid}
              grid={grid}
              columns={columns}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => go({ item: itemOf(row) }, item !== null)}
              onEscape={() => go({ item: null })}
              menu={({ subscription_id }) => [
                {
                  id: 'statements',
                  label: words.allocations.showStatements,
                  run: () => showFiltered('statements', { subscription_id }),
                },
                {
                  id: 'webhooks',
                  label: words.statements.showWebhooks,
                  run: () => showFiltered('webhooks', { subscription_id }),
                },
              ]}
              empty={
                filter.search ? (
                  <Empty
                    icon={Users}
                    title={text.noneTitle}
                    action={
                      <Button onPress={() => setFilter('subscriptions', {})}>{words.filters.clear}</Button>
                    }
                  >
                    {text.noneText}
                  </Empty>
                ) : (
                  <Empty
                    icon={Users}
                    title={text.emptyTitle}
                    action={<CommandButton id="sync.start" kind="primary" />}
                  >
                    {text.emptyText}
                  </Empty>
                )
              }
            />
            <StatusBar grid={grid} one="subscription" />
          </>
        }
        detail={
          item === null ? null : <SubscriptionStory key={item} site={site} subscription={Number(item)} />
        }
      />
    </Screen>
  );
}

function subscriptionColumns(currency: string): readonly Column<SubscriptionRow>[] {
  const titles = text.columns;
  return [
    idColumn(
      { id: 'id', title: titles.id, width: 116, sort: 'subscription_id' },
      (row) => row.subscription_id,
    ),
    textColumn(
      {
        id: 'customer',
        title: titles.customer,
        width: 200,
        grows: true,
        sort: 'customer_name',
        tone: 'strong',
      },
      (row) => row.customer_name,
    ),
    textColumn(
      { id: 'organization', title: titles.organization, width: 184 },
      (row) => row.customer_organization,
    ),
    countColumn({ id: 'statements', title: titles.statements, width: 104 }, (row) => row.statements),
    {
      id: 'unpaid',
      title: titles.unpaid,
      width: 88,
      end: true,
      cell: (row) => (row.unpaid === 0 ? <Absent /> : countText(row.unpaid)),
      copy: (row) => ({ exact: String(row.unpaid) }),
    },
    moneyColumn(
      {
        id: 'balance',
        title: words.statements.withCurrency(titles.balance, currency),
        width: 136,
        sort: 'balance_in_cents',
      },
      (row) => row.balance_in_cents,
    ),
    momentColumn({ id: 'lastClosed', title: titles.lastClosed, width: 158 }, (row) => row.last_closed_at),
  ];
}
