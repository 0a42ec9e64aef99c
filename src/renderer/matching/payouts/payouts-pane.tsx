import { Landmark, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import type { BankAccount, Payout, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { FilterPillBar } from '../../filters/filter-bar.tsx';
import { ColumnChooser } from '../../grid/columns/column-chooser.tsx';
import { useDetailFollowsActiveRow } from '../../grid/lists/use-detail-sync.ts';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { StatusBar } from '../../grid/summary/status-bar.tsx';
import { GridView } from '../../grid/view/grid-view.tsx';
import { ListWithDetail } from '../../layout/screen.tsx';
import { navigate } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { formatMatchingRoute, openMatching } from '../route.ts';
import { payoutColumns } from './columns.tsx';
import { PayoutDetail } from './payout-detail.tsx';
import { payoutFields, setPayoutFilter, usePayoutFilter } from './payout-filter.ts';

const text = texts.payouts;
const none: readonly BankAccount[] = [];
const idOf = (row: Payout) => row.id;
const itemOf = (row: Payout) => formatMatchingRoute({ part: 'payouts', id: row.id }) ?? '';

/** Lists the processors' payouts with their bank deposits. */
export function PayoutsPane({ site, id }: { readonly site: Site; readonly id: number | null }) {
  const filter = usePayoutFilter((state) => state.filter);
  const { data: accounts = none } = useQuery('bank.accounts', { site: site.site });
  const fields = useMemo(() => payoutFields(accounts), [accounts]);
  const grid = usePagedList({
    name: 'payouts',
    procedure: 'match.payouts',
    query: { site: site.site, filter },
    idOf,
  });
  useDetailFollowsActiveRow(grid, id !== null, itemOf);
  const isSet = Object.keys(filter).length > 0;
  return (
    <>
      <FilterPillBar
        search={text.search}
        filter={filter}
        fields={fields}
        onChange={setPayoutFilter}
        onClear={() => setPayoutFilter({})}
      >
        <ColumnChooser name="payouts" columns={payoutColumns} />
      </FilterPillBar>
      <ListWithDetail
        name="payouts"
        width={460}
        list={
          <>
            <GridView
              name="payouts"
              label={text.grid}
              grid={grid}
              columns={payoutColumns}
              isSelectable={false}
              onOpen={(row) => navigate({ item: itemOf(row) }, id !== null)}
              onEscape={() => openMatching('payouts')}
              empty={
                isSet ? (
                  <EmptyState
                    icon={SearchX}
                    title={text.noneTitle}
                    action={<Button onPress={() => setPayoutFilter({})}>{texts.filters.clear}</Button>}
                  >
                    {text.noneText}
                  </EmptyState>
                ) : (
                  <EmptyState
                    icon={Landmark}
                    title={text.emptyTitle}
                    action={
                      <Button onPress={() => navigate({ screen: 'bank' })}>{texts.matching.toBank}</Button>
                    }
                  >
                    {text.emptyText}
                  </EmptyState>
                )
              }
            />
            <StatusBar grid={grid} singular="payout" />
          </>
        }
        detail={id === null ? null : <PayoutDetail site={site} id={id} />}
      />
    </>
  );
}
