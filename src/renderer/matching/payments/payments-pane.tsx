import { Receipt, SearchX } from 'lucide-react';
import { useStore } from 'zustand';
import type { Payment, Site } from '../../../contract/index.ts';
import { MoneySums } from '../../bank/status-badges.tsx';
import { CommandButton } from '../../commands/command-button.tsx';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { FilterPillBar } from '../../filters/filter-bar.tsx';
import { ColumnChooser } from '../../grid/columns/column-chooser.tsx';
import { useListSort } from '../../grid/columns/use-sort.ts';
import { useDetailFollowsActiveRow } from '../../grid/lists/use-detail-sync.ts';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { StatusBar } from '../../grid/summary/status-bar.tsx';
import type { SummedFigure } from '../../grid/summary/sums.ts';
import { GridView } from '../../grid/view/grid-view.tsx';
import { ListWithDetail } from '../../layout/screen.tsx';
import { navigate } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { formatMatchingRoute, openMatching } from '../route.ts';
import { paymentColumns } from './columns.tsx';
import { PaymentDetail } from './payment-detail.tsx';
import { paymentFields, setPaymentFilter, usePaymentFilter } from './payment-filter.ts';

const text = texts.payments;
const orders = ['paid_on', 'amount_in_cents'] as const;
const figures: readonly SummedFigure<Payment>[] = [
  { cents: (row) => row.amount_in_cents, currency: (row) => row.currency },
];
const idOf = (row: Payment) => row.id;
const itemOf = (row: Payment) => formatMatchingRoute({ part: 'payments', id: row.id }) ?? '';

/** Lists all payments and refunds recorded in the statements. */
export function PaymentsPane({ site, id }: { readonly site: Site; readonly id: number | null }) {
  const filter = usePaymentFilter((state) => state.filter);
  const [sort, setSort] = useListSort('payments', orders);
  const grid = usePagedList({
    name: 'payments',
    procedure: 'match.payments',
    marksProcedure: 'match.paymentMarks',
    query: { site: site.site, filter, sort },
    idOf,
  });
  useDetailFollowsActiveRow(grid, id !== null, itemOf);
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
  const isSet = Object.keys(filter).length > 0;
  return (
    <>
      <FilterPillBar
        search={text.search}
        filter={filter}
        fields={paymentFields}
        onChange={setPaymentFilter}
        onClear={() => setPaymentFilter({})}
      >
        <ColumnChooser name="payments" columns={paymentColumns} />
      </FilterPillBar>
      <ListWithDetail
        name="payments"
        width={440}
        list={
          <>
            <GridView
              name="payments"
              label={text.grid}
              grid={grid}
              columns={paymentColumns}
              sort={sort}
              onSort={setSort}
              isSelectable={false}
              onOpen={(row) => navigate({ item: itemOf(row) }, id !== null)}
              onEscape={() => openMatching('payments')}
              empty={
                isSet ? (
                  <EmptyState
                    icon={SearchX}
                    title={text.noneTitle}
                    action={<Button onPress={() => setPaymentFilter({})}>{texts.filters.clear}</Button>}
                  >
                    {text.noneText}
                  </EmptyState>
                ) : (
                  <EmptyState
                    icon={Receipt}
                    title={text.emptyTitle}
                    action={<CommandButton id="matching.run" />}
                  >
                    {text.emptyText}
                  </EmptyState>
                )
              }
            />
            <StatusBar grid={grid} singular="payment" figures={figures}>
              <MoneySums sums={sums} />
            </StatusBar>
          </>
        }
        detail={id === null ? null : <PaymentDetail site={site} id={id} />}
      />
    </>
  );
}
