import { Receipt } from 'lucide-react';
import { useStore } from 'zustand';
import type { Payment, Site } from '../../../contract/index.ts';
import { ReceivedAndPaidSums } from '../../bank/status-badges.tsx';
import { CommandButton } from '../../commands/command-button.tsx';
import { useListSort } from '../../grid/columns/use-list-sort.ts';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import type { SummableAmount } from '../../grid/summary/currency-sums.ts';
import { StatusBar } from '../../grid/summary/status-bar.tsx';
import { useWindowState } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { MatchingList } from '../shared/matching-list.tsx';
import { paymentColumns } from './payment-columns.tsx';
import { PaymentDetail } from './payment-detail.tsx';
import { paymentFilterFields } from './payment-filter.ts';

const text = texts.payments;
const orders = ['paid_on', 'amount_in_cents'] as const;
const figures: readonly SummableAmount<Payment>[] = [
  { cents: (row) => row.amount_in_cents, currency: (row) => row.currency },
];
const idOf = (row: Payment) => row.id;

/** Lists all payments and refunds recorded in the statements. */
export function PaymentsPane({ site, id }: { readonly site: Site; readonly id: number | null }) {
  const filter = useWindowState((state) => state.filters.payments);
  const [sort, onSort] = useListSort('payments', orders);
  const grid = usePagedList({
    name: 'payments',
    procedure: 'match.payments',
    marksProcedure: 'match.paymentMarks',
    query: { site: site.site, filter, sort },
    idOf,
  });
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
  return (
    <MatchingList
      part="payments"
      {...{ id, text, grid, sort, onSort }}
      columns={paymentColumns}
      fields={paymentFilterFields}
      emptyIcon={Receipt}
      emptyAction={<CommandButton id="matching.run" />}
      statusBar={
        <StatusBar grid={grid} singular="payment" figures={figures}>
          <ReceivedAndPaidSums sums={sums} />
        </StatusBar>
      }
      detail={(open) => <PaymentDetail site={site} id={open} />}
      detailWidth={440}
    />
  );
}
