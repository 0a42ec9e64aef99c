import { useState } from 'react';
import type { BankLine, BankLineFilter, ContractOutputs, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { MatchStateBadge } from '../../bank/status-badges.tsx';
import { CommentsPanel } from '../../comments/comments-panel.tsx';
import { Button } from '../../controls/button.tsx';
import { Money } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import { RecordPane } from '../../list-screen/record-pane.tsx';
import { recordLocations } from '../../navigation/record-location.ts';
import { openFilteredList } from '../../navigation/window-state.ts';
import { formatDate } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { BankLineItem, MatchItem } from '../shared/match-items.tsx';
import { DepositStatusBadge, getDepositStatus } from '../shared/match-status-badges.tsx';
import { PaymentTrailPanel } from '../trail/payment-trail-panel.tsx';
import { GrossToNetBridge } from './gross-to-net-bridge.tsx';

const text = texts.payouts;
const INITIAL_ROWS = 25;

type PayoutWithRows = ContractOutputs['match']['getPayout'];

/** Shows one payout with its gross-to-net bridge, its bank deposit, its rows, and its comments. */
export function PayoutDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const query = useQuery('match.getPayout', { site: site.site, id });
  return (
    <RecordPane
      title={text.detail(id)}
      query={query}
      notFoundText={text.notFound}
      head={(payout) => (
        <>
          <h2>{payout.payout_id}</h2>
          <p>
            <DepositStatusBadge status={getDepositStatus(payout)} pill />
            <span>{formatDate(payout.paid_on)}</span>
            <span>{payout.account.name}</span>
          </p>
        </>
      )}
    >
      {(payout) => (
        <div className="detail-body" key={payout.id}>
          <GrossToNetBridge payout={payout} onOpen={(narrow) => showRows(payout, narrow)} />
          <PayoutDeposit payout={payout} />
          <PayoutPayments payout={payout} />
          <PayoutRows payout={payout} />
          <PaymentTrailPanel site={site.site} from={{ kind: 'payout', id: payout.id }} />
          <CommentsPanel site={site.site} kind="payout" id={payout.id} />
        </div>
      )}
    </RecordPane>
  );
}

/** Opens the bank screen, filtered by the rows of the payout. */
function showRows({ account, payout_id }: PayoutWithRows, narrow: BankLineFilter): void {
  openFilteredList('bank', { account: [account.id], payout_id, ...narrow });
}

function PayoutDeposit({
  payout: { deposit, deposited_in_cents, currency },
}: {
  readonly payout: PayoutWithRows;
}) {
  return (
    <Panel title={text.deposit}>
      {deposit === null ? (
        <p className="fineprint">{text.noDeposit}</p>
      ) : (
        <ul className="match-side">
          <MatchItem
            title={
              <RecordLink to={recordLocations.bankLine(deposit.line)}>
                {text.openLine(formatDate(deposit.booked_on), deposit.account)}
              </RecordLink>
            }
            note={
              <RecordLink to={recordLocations.match(deposit.group)}>
                {text.openMatch(deposit.group)}
              </RecordLink>
            }
            amount={<Money cents={deposited_in_cents} currency={currency} />}
          />
        </ul>
      )}
    </Panel>
  );
}

function PayoutPayments({ payout }: { readonly payout: PayoutWithRows }) {
  const { payments, payments_matched: matched } = payout;
  if (payments === 0) return null;
  const missing = payments - matched;
  return (
    <Panel title={text.payments}>
      <p>{text.paymentsMatched(matched, payments)}</p>
      {missing > 0 && (
        <div>
          <Button
            size="small"
            onPress={() =>
              showRows(payout, {
                kind: ['payment', 'entry'],
                state: ['open', 'ambiguous', 'suggested', 'partial', 'ignored'],
              })
            }
          >
            {text.showUnmatched(missing)}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function PayoutRows({ payout }: { readonly payout: PayoutWithRows }) {
  const [limit, setLimit] = useState(INITIAL_ROWS);
  const rows = payout.rows.slice(0, limit);
  return (
    <Panel title={text.rows} aside={<Link onPress={() => showRows(payout, {})}>{text.showAll}</Link>}>
      <ul className="match-side">
        {rows.map((row) => (
          <PayoutRow key={row.id} row={row} />
        ))}
      </ul>
      {rows.length < payout.rows.length && (
        <div>
          <Button size="small" kind="quiet" onPress={() => setLimit(limit + 200)}>
            {text.moreRows(Math.min(200, payout.rows.length - rows.length))}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function PayoutRow({ row }: { readonly row: BankLine }) {
  const kind = texts.bank.kinds[row.kind];
  return (
    <BankLineItem
      line={{ id: row.id, description: row.counterparty ?? (row.description || kind) }}
      facts={[`${kind} · ${formatDate(row.booked_on)}`, row.gateway_transaction_id]}
      amount={
        <span className="match-part">
          <Money cents={row.amount_in_cents} />
          <small>
            <MatchStateBadge status={row.state} />
          </small>
        </span>
      }
    />
  );
}
