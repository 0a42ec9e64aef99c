import { Landmark } from 'lucide-react';
import { useMemo } from 'react';
import type { BankAccount, Payout, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { StatusBar } from '../../grid/summary/status-bar.tsx';
import { navigate, useWindowState } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { MatchingList } from '../shared/matching-list.tsx';
import { payoutColumns } from './payout-columns.tsx';
import { PayoutDetail } from './payout-detail.tsx';
import { getPayoutFilterFields } from './payout-filter.ts';

const text = texts.payouts;
const none: readonly BankAccount[] = [];
const idOf = (row: Payout) => row.id;

/** Lists the processors' payouts with their bank deposits. */
export function PayoutsPane({ site, id }: { readonly site: Site; readonly id: number | null }) {
  const filter = useWindowState((state) => state.filters.payouts);
  const { data: accounts = none } = useQuery('bank.accounts', { site: site.site });
  const fields = useMemo(() => getPayoutFilterFields(accounts), [accounts]);
  const query = { site: site.site, filter };
  const grid = usePagedList({ name: 'payouts', procedure: 'match.payouts', query, idOf });
  return (
    <MatchingList
      part="payouts"
      {...{ id, text, grid, fields }}
      columns={payoutColumns}
      emptyIcon={Landmark}
      emptyAction={<Button onPress={() => navigate({ screen: 'bank' })}>{texts.matching.toBank}</Button>}
      statusBar={<StatusBar grid={grid} singular="payout" />}
      detail={(open) => <PayoutDetail site={site} id={open} />}
      detailWidth={460}
    />
  );
}
