import type { ContractOutputs, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { MatchStateBadge } from '../../bank/status-badges.tsx';
import { CommentsPanel } from '../../comments/comments-panel.tsx';
import { LabeledValueList, Money } from '../../controls/formatted-values.tsx';
import { Panel } from '../../controls/panel.tsx';
import { RecordPane } from '../../list-screen/record-pane.tsx';
import { formatDate } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { PaymentSourceLinks } from '../shared/match-items.tsx';
import { RelatedMatches } from '../shared/related-matches.tsx';
import { PaymentTrailPanel } from '../trail/payment-trail-panel.tsx';

const text = texts.payments;
const titles = text.columns;

/** Shows one payment or refund with its matches, source, and comments. */
export function PaymentDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const query = useQuery('match.getPayment', { site: site.site, id });
  return (
    <RecordPane
      title={text.detail(id)}
      query={query}
      notFoundText={text.notFound}
      head={({ amount_in_cents, currency, state, paid_on, customer_name }) => (
        <>
          <h2>
            <Money cents={amount_in_cents} currency={currency} />
          </h2>
          <p>
            <MatchStateBadge status={state} pill />
            <span>{formatDate(paid_on)}</span>
            <span>{customer_name}</span>
          </p>
        </>
      )}
    >
      {(payment) => <PaymentFacts key={payment.id} site={site} payment={payment} />}
    </RecordPane>
  );
}

interface PaymentFactsProps {
  readonly site: Site;
  readonly payment: ContractOutputs['match']['getPayment'];
}

function PaymentFacts({ site, payment }: PaymentFactsProps) {
  const { id, statement_id, subscription_id, gateway_transaction_id: gateway, memo } = payment;
  return (
    <div className="detail-body">
      {payment.vanished && <p className="callout callout-warn">{text.vanished}</p>}
      <RelatedMatches site={site.site} of={{ transaction: id }} money={payment} />
      <Panel title={text.source}>
        <PaymentSourceLinks statement={statement_id} subscription={subscription_id} />
        <LabeledValueList
          rows={[
            [titles.kind, text.kind[payment.kind]],
            memo === null ? null : [titles.memo, memo],
            gateway === null ? null : [titles.gateway, gateway],
            [titles.id, String(id)],
          ]}
        />
      </Panel>
      <PaymentTrailPanel site={site.site} from={{ kind: 'payment', id }} />
      <CommentsPanel site={site.site} kind="payment" id={id} />
    </div>
  );
}
