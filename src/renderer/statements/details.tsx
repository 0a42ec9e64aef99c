import type { StatementDetail } from '../../contract/index.ts';
import { JsonView } from '../controls/json-view.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/pieces.tsx';
import { Ago, Moment } from '../controls/values.tsx';
import { go, showFiltered } from '../view/view.ts';
import { words } from '../words/words.ts';
import { FactsPanel } from './facts-panel.tsx';

const text = words.statements;

/** Who, where and when, and what the service sent besides. */
export function Details({ statement }: { readonly statement: StatementDetail }) {
  const { subscription_id } = statement;
  return (
    <div className="tab-scroll tab-panels">
      <FactsPanel
        title={text.customer}
        rows={[
          [text.customer, statement.customer_name],
          [text.organization, statement.customer_organization],
          [
            text.subscription,
            <span key="links" className="links">
              <Link
                label={text.showSubscription}
                onPress={() => go({ screen: 'subscriptions', item: String(subscription_id) })}
              >
                {subscription_id}
              </Link>
              <Link onPress={() => showFiltered('webhooks', { subscription_id })}>{text.showWebhooks}</Link>
            </span>,
          ],
          [text.billing, addressText(statement.billing)],
          [text.shipping, addressText(statement.shipping)],
          [text.memo, statement.memo],
        ]}
      />
      <FactsPanel
        title={text.dates}
        rows={[
          [text.opened, <Moment key="opened" at={statement.opened_at} to="second" />],
          [text.closed, <Moment key="closed" at={statement.closed_at} to="second" />],
          [text.settled, <Moment key="settled" at={statement.settled_at} to="second" />],
          [text.created, <Moment key="created" at={statement.created_at} to="second" />],
          [text.updated, <Moment key="updated" at={statement.updated_at} to="second" />],
          [text.readAt, <Ago key="read" at={statement.synced_at} />],
        ]}
      />
      {statement.future_payments.length > 0 && (
        <Panel title={text.futurePayments}>
          <JsonView value={statement.future_payments} />
        </Panel>
      )}
      {Object.keys(statement.extra).length > 0 && (
        <Panel title={text.extra}>
          <JsonView value={statement.extra} />
        </Panel>
      )}
    </div>
  );
}

/** An address in lines, without what is not given. */
function addressText(address: StatementDetail['billing']) {
  const city = [address.zip, address.city, address.state].filter(Boolean).join(' ');
  const lines = [address.street, address.street_2, city, address.country].filter(Boolean);
  return lines.length === 0 ? null : <span className="address">{lines.join('\n')}</span>;
}
