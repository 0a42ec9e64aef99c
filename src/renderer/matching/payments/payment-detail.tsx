import type { Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend/hooks.ts';
import { MatchStatus } from '../../bank/looks.tsx';
import { CommandButton } from '../../commands/use-commands.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { Facts, Money } from '../../controls/values.tsx';
import { DetailPending } from '../../frame/detail-pending.tsx';
import { Detail } from '../../frame/screen.tsx';
import { dateText } from '../../words/moments.ts';
import { words } from '../../words/words.ts';
import { Explained } from '../explained.tsx';
import { Notes } from '../notes.tsx';
import { SourceLinks } from '../source-links.tsx';

const text = words.payments;
const titles = text.columns;

/** One payment or refund of the statements, and what explains it. */
export function PaymentDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: payment, error } = useQuery('match.getPayment', { site: site.site, id });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" bare />;
  if (!payment || error) {
    return <DetailPending title={text.detail(id)} actions={actions} error={error} notHeld={text.notHeld} />;
  }
  const { statement_id, subscription_id, gateway_transaction_id: gateway, memo } = payment;
  return (
    <Detail
      label={text.detail(id)}
      actions={actions}
      head={
        <>
          <h2>
            <Money cents={payment.amount_in_cents} currency={payment.currency} />
          </h2>
          <p>
            <MatchStatus state={payment.state} pill />
            <span>{dateText(payment.paid_on)}</span>
            <span>{payment.customer_name}</span>
          </p>
        </>
      }
    >
      <div className="detail-body" key={payment.id}>
        {payment.vanished && <p className="callout callout-warn">{text.vanished}</p>}
        <Explained site={site.site} of={{ transaction: payment.id }} money={payment} />
        <Panel title={text.source}>
          <SourceLinks statement={statement_id} subscription={subscription_id} />
          <Facts
            rows={[
              [titles.kind, text.kind[payment.kind]],
              memo === null ? null : [titles.memo, memo],
              gateway === null ? null : [titles.gateway, gateway],
              [titles.id, String(payment.id)],
            ]}
          />
        </Panel>
        <Notes site={site.site} on={{ transaction: payment.id }} noted={payment.noted} />
      </div>
    </Detail>
  );
}
