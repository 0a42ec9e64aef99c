import { Users } from 'lucide-react';
import { useMemo } from 'react';
import type { Site, SubscriptionRow } from '../../contract/index.ts';
import { MissingValue } from '../controls/formatted-values.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories, createMoneyColumn } from '../grid/columns/value-columns.tsx';
import { ListEmptyState, ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import { openFilteredList, useWindowState } from '../navigation/window-state.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { SubscriptionActivity } from './subscription-activity.tsx';

const text = texts.subscriptions;
const sortKeys = ['subscription_id', 'customer_name', 'balance_in_cents'] as const;
const idOf = (row: SubscriptionRow) => row.subscription_id;

/** Screen that lists the subscriptions found in statements, webhooks, and allocations. */
export function SubscriptionsScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  const columns = useMemo(() => subscriptionColumns(site.currency), [site.currency]);
  const list = useScreenList({
    screen: 'subscriptions',
    site: site.site,
    procedure: 'subscriptions.list',
    marksProcedure: 'subscriptions.marks',
    sortKeys,
    idOf,
    isDetailOpen: item !== null,
  });
  return (
    <ListScreen
      screen="subscriptions"
      title={text.title}
      list={list}
      searchLabel={text.search}
      fields={[]}
      label={text.grid}
      columns={columns}
      menu={({ subscription_id }) => [
        {
          id: 'statements',
          label: texts.allocations.showStatements,
          run: () => openFilteredList('statements', { subscription_id }),
        },
        {
          id: 'webhooks',
          label: texts.statements.showWebhooks,
          run: () => openFilteredList('webhooks', { subscription_id }),
        },
      ]}
      empty={<ListEmptyState screen="subscriptions" icon={Users} text={text} />}
      singular="subscription"
      detail={
        item === null ? null : <SubscriptionActivity key={item} site={site} subscription={Number(item)} />
      }
      detailWidth={700}
    />
  );
}

function subscriptionColumns(currency: string): readonly GridColumn<SubscriptionRow>[] {
  const titles = text.columns;
  const column = createColumnFactories(titles);
  return [
    column.id('id', 116, 'subscription_id', { sortKey: 'subscription_id' }),
    column.text('customer', 200, 'customer_name', {
      fillsSpace: true,
      sortKey: 'customer_name',
      tone: 'strong',
    }),
    column.text('organization', 184, 'customer_organization'),
    column.count('statements', 104, 'statements'),
    {
      ...column.head('unpaid', 88),
      alignEnd: true,
      cell: (row) => (row.unpaid === 0 ? <MissingValue /> : formatCount(row.unpaid)),
      copy: (row) => ({ exact: String(row.unpaid) }),
    },
    createMoneyColumn(
      {
        id: 'balance',
        title: texts.statements.withCurrency(titles.balance, currency),
        width: 136,
        sortKey: 'balance_in_cents',
      },
      'balance_in_cents',
    ),
    column.dateTime('lastClosed', 158, 'last_closed_at'),
  ];
}
