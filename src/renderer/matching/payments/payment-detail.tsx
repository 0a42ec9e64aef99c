import type { Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { MatchStateBadge } from '../../bank/status-badges.tsx';
import { CommandButton } from '../../commands/command-button.tsx';
import { Panel } from '../../controls/panel.tsx';
import { FactList, Money } from '../../controls/values.tsx';
import { DetailPlaceholder } from '../../layout/detail-placeholder.tsx';
import { DetailPane } from '../../layout/screen.tsx';
import { formatDate } from '../../texts/moments.ts';
import { texts } from '../../texts/texts.ts';
import { MatchNotes } from '../notes.tsx';
import { RelatedMatches } from '../related-matches.tsx';
import { SourceLinks } from '../source-links.tsx';

const text = texts.payments;
const titles = text.columns;

/** Shows one payment or refund with its matches, source, and notes. */
export function PaymentDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: payment, error } = useQuery('match.getPayment', { site: site.site, id });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" iconOnly />;
  if (!payment || error) {
    return (
      <DetailPlaceholder
        title={text.detail(id)}
        actions={actions}
        error={error}
        notFoundText={text.notFound}
      />
    );
  }
  const { statement_id, subscription_id, gateway_transaction_id: gateway, memo } = payment;
  return (
    <DetailPane
      label={text.detail(id)}
      actions={actions}
      head={
        <>
          <h2>
            <Money cents={payment.amount_in_cents} currency={payment.currency} />
          </h2>
          <p>
            <MatchStateBadge state={payment.state} pill />
            <span>{formatDate(payment.paid_on)}</span>
            <span>{payment.customer_name}</span>
          </p>
        </>
      }
    >
      <div className="detail-body" key={payment.id}>
        {payment.vanished && <p className="callout callout-warn">{text.vanished}</p>}
        <RelatedMatches site={site.site} of={{ transaction: payment.id }} money={payment} />
        <Panel title={text.source}>
          <SourceLinks statement={statement_id} subscription={subscription_id} />
          <FactList
            rows={[
              [titles.kind, text.kind[payment.kind]],
              memo === null ? null : [titles.memo, memo],
              gateway === null ? null : [titles.gateway, gateway],
              [titles.id, String(payment.id)],
            ]}
          />
        </Panel>
        <MatchNotes site={site.site} on={{ transaction: payment.id }} notes={payment.note_texts} />
      </div>
    </DetailPane>
  );
}
