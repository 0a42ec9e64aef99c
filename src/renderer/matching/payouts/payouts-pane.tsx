import { Landmark, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import type { BankAccount, Payout, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend/hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Empty } from '../../controls/pieces.tsx';
import { PillBar } from '../../filters/filter-bar.tsx';
import { Beside } from '../../frame/screen.tsx';
import { ColumnChooser } from '../../grid/column-chooser.tsx';
import { GridView } from '../../grid/grid-view.tsx';
import { StatusBar } from '../../grid/status-bar.tsx';
import { useFollow } from '../../grid/use-follow.ts';
import { useList } from '../../grid/use-list.ts';
import { go } from '../../view/view.ts';
import { words } from '../../words/words.ts';
import { matchingItem, openMatching } from '../place.ts';
import { payoutColumns } from './columns.tsx';
import { filterPayouts, payoutFields, usePayoutFilter } from './filter.ts';
import { PayoutDetail } from './payout-detail.tsx';

const text = words.payouts;
const none: readonly BankAccount[] = [];
const idOf = (row: Payout) => row.id;
const itemOf = (row: Payout) => matchingItem({ part: 'payouts', id: row.id }) ?? '';

/** What the processors paid out, batch by batch, beside the deposits that arrived. */
export function PayoutsPane({ site, id }: { readonly site: Site; readonly id: number | null }) {
  const filter = usePayoutFilter((state) => state.filter);
  const { data: accounts = none } = useQuery('bank.accounts', { site: site.site });
  const fields = useMemo(() => payoutFields(accounts), [accounts]);
  const grid = useList({
    name: 'payouts',
    list: 'match.payouts',
    selection: { site: site.site, filter },
    idOf,
  });
  useFollow(grid, id !== null, itemOf);
  const isSet = Object.keys(filter).length > 0;
  return (
    <>
      <PillBar
        search={text.search}
        filter={filter}
        fields={fields}
        onChange={filterPayouts}
        onClear={() => filterPayouts({})}
      >
        <ColumnChooser name="payouts" columns={payoutColumns} />
      </PillBar>
      <Beside
        name="payouts"
        width={460}
        list={
          <>
            <GridView
              name="payouts"
              label={text.grid}
              grid={grid}
              columns={payoutColumns}
              pickable={false}
              onOpen={(row) => go({ item: itemOf(row) }, id !== null)}
              onEscape={() => openMatching('payouts')}
              empty={
                isSet ? (
                  <Empty
                    icon={SearchX}
                    title={text.noneTitle}
                    action={<Button onPress={() => filterPayouts({})}>{words.filters.clear}</Button>}
                  >
                    {text.noneText}
                  </Empty>
                ) : (
                  <Empty
                    icon={Landmark}
                    title={text.emptyTitle}
                    action={<Button onPress={() => go({ screen: 'bank' })}>{words.matching.toBank}</Button>}
                  >
                    {text.emptyText}
                  </Empty>
                )
              }
            />
            <StatusBar grid={grid} one="payout" />
          </>
        }
        detail={id === null ? null : <PayoutDetail site={site} id={id} />}
      />
    </>
  );
}
