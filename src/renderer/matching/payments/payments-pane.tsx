import { Receipt, SearchX } from 'lucide-react';
import { useStore } from 'zustand';
import type { Payment, Site } from '../../../contract/index.ts';
import { Sums } from '../../bank/looks.tsx';
import { CommandButton } from '../../commands/use-commands.tsx';
import { Button } from '../../controls/button.tsx';
import { Empty } from '../../controls/pieces.tsx';
import { PillBar } from '../../filters/filter-bar.tsx';
import { Beside } from '../../frame/screen.tsx';
import { ColumnChooser } from '../../grid/column-chooser.tsx';
import { GridView } from '../../grid/grid-view.tsx';
import { StatusBar } from '../../grid/status-bar.tsx';
import type { Figure } from '../../grid/sums.ts';
import { useFollow } from '../../grid/use-follow.ts';
import { useList } from '../../grid/use-list.ts';
import { useSort } from '../../grid/use-sort.ts';
import { go } from '../../view/view.ts';
import { words } from '../../words/words.ts';
import { matchingItem, openMatching } from '../place.ts';
import { paymentColumns } from './columns.tsx';
import { filterPayments, paymentFields, usePaymentFilter } from './filter.ts';
import { PaymentDetail } from './payment-detail.tsx';

const text = words.payments;
const orders = ['paid_on', 'amount_in_cents'] as const;
const figures: readonly Figure<Payment>[] = [
  { cents: (row) => row.amount_in_cents, currency: (row) => row.currency },
];
const idOf = (row: Payment) => row.id;
const itemOf = (row: Payment) => matchingItem({ part: 'payments', id: row.id }) ?? '';

/** Every payment and refund of the statements, explained or not. */
export function PaymentsPane({ site, id }: { readonly site: Site; readonly id: number | null }) {
  const filter = usePaymentFilter((state) => state.filter);
  const [sort, setSort] = useSort('payments', orders);
  const grid = useList({
    name: 'payments',
    list: 'match.payments',
    marks: 'match.paymentMarks',
    selection: { site: site.site, filter, sort },
    idOf,
  });
  useFollow(grid, id !== null, itemOf);
  const sums = useStore(grid.state, (state) => state.first?.sums ?? null);
  const isSet = Object.keys(filter).length > 0;
  return (
    <>
      <PillBar
        search={text.search}
        filter={filter}
        fields={paymentFields}
        onChange={filterPayments}
        onClear={() => filterPayments({})}
      >
        <ColumnChooser name="payments" columns={paymentColumns} />
      </PillBar>
      <Beside
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
              pickable={false}
              onOpen={(row) => go({ item: itemOf(row) }, id !== null)}
              onEscape={() => openMatching('payments')}
              empty={
                isSet ? (
                  <Empty
                    icon={SearchX}
                    title={text.noneTitle}
                    action={<Button onPress={() => filterPayments({})}>{words.filters.clear}</Button>}
                  >
                    {text.noneText}
                  </Empty>
                ) : (
                  <Empty icon={Receipt} title={text.emptyTitle} action={<CommandButton id="matching.run" />}>
                    {text.emptyText}
                  </Empty>
                )
              }
            />
            <StatusBar grid={grid} one="payment" figures={figures}>
              <Sums sums={sums} />
            </StatusBar>
          </>
        }
        detail={id === null ? null : <PaymentDetail site={site} id={id} />}
      />
    </>
  );
}
