import { useState } from 'react';
import type { BankLine, BankLineFilter, Outputs, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend/hooks.ts';
import { MatchStatus } from '../../bank/looks.tsx';
import { CommandButton } from '../../commands/use-commands.tsx';
import { Button } from '../../controls/button.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { Money } from '../../controls/values.tsx';
import { DetailPending } from '../../frame/detail-pending.tsx';
import { Detail } from '../../frame/screen.tsx';
import { openPlace, placeOf } from '../../view/place.ts';
import { showFiltered } from '../../view/view.ts';
import { dateText } from '../../words/moments.ts';
import { words } from '../../words/words.ts';
import { DepositMark } from '../looks.tsx';
import { Bridge } from './bridge.tsx';

const text = words.payouts;
const FEW = 25;

export type PayoutWithRows = Outputs['match']['getPayout'];

/** One batch: how its gross becomes its net, the deposit it arrived as, and every row of it. */
export function PayoutDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: payout, error } = useQuery('match.getPayout', { site: site.site, id });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" bare />;
  if (!payout || error) {
    return <DetailPending title={text.detail(id)} actions={actions} error={error} notHeld={text.notHeld} />;
  }
  return (
    <Detail
      label={text.detail(id)}
      actions={actions}
      head={
        <>
          <h2>{payout.payout_id}</h2>
          <p>
            <DepositMark payout={payout} pill />
            <span>{dateText(payout.paid_on)}</span>
            <span>{payout.account.name}</span>
          </p>
        </>
      }
    >
      <div className="detail-body" key={payout.id}>
        <Bridge payout={payout} onOpen={(narrow) => showRows(payout, narrow)} />
        <Deposit payout={payout} />
        <Payments payout={payout} />
        <Rows payout={payout} />
      </div>
    </Detail>
  );
}

/** Its rows among the lines of the bank's screen. */
function showRows({ account, payout_id }: PayoutWithRows, narrow: BankLineFilter): void {
  showFiltered('bank', { account: [account.id], payout_id, ...narrow });
}

function Deposit({ payout: { deposit, deposited_in_cents, currency } }: { readonly payout: PayoutWithRows }) {
  return (
    <Panel title={text.deposit}>
      {deposit === null ? (
        <p className="fineprint">{text.noDeposit}</p>
      ) : (
        <ul className="match-side">
          <li>
            <span>
              <Link onPress={() => openPlace(placeOf.bankLine(deposit.line))}>
                {text.openLine(dateText(deposit.booked_on), deposit.account)}
              </Link>
              <small>
                <Link onPress={() => openPlace(placeOf.match(deposit.group))}>
                  {text.openMatch(deposit.group)}
                </Link>
              </small>
            </span>
            <Money cents={deposited_in_cents} currency={currency} />
          </li>
        </ul>
      )}
    </Panel>
  );
}

function Payments({ payout }: { readonly payout: PayoutWithRows }) {
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
                state: ['open', 'ambiguous', 'suggested', 'part', 'ignored'],
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

function Rows({ payout }: { readonly payout: PayoutWithRows }) {
  const [shown, setShown] = useState(FEW);
  const rows = payout.rows.slice(0, shown);
  return (
    <Panel title={text.rows} aside={<Link onPress={() => showRows(payout, {})}>{text.showAll}</Link>}>
      <ul className="match-side">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
      {rows.length < payout.rows.length && (
        <div>
          <Button size="small" kind="quiet" onPress={() => setShown(shown + 200)}>
            {text.moreRows(Math.min(200, payout.rows.length - rows.length))}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Row({ row }: { readonly row: BankLine }) {
  return (
    <li>
      <span>
        <Link onPress={() => openPlace(placeOf.bankLine(row.id))}>
          {row.counterparty ?? (row.description || words.bank.kinds[row.kind])}
        </Link>
        <small>
          {words.bank.kinds[row.kind]} · {dateText(row.booked_on)}
          {row.gateway_transaction_id !== null && ` · ${row.gateway_transaction_id}`}
        </small>
      </span>
      <span className="match-part">
        <Money cents={row.amount_in_cents} />
        <small>
          <MatchStatus state={row.state} />
        </small>
      </span>
    </li>
  );
}
