import type { StatementDetail } from '../../contract/index.ts';
import { JsonView } from '../controls/json-view.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { DateTime, RelativeTime } from '../controls/values.tsx';
import { navigate, openFilteredScreen } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { FactsPanel } from './facts-panel.tsx';

const text = texts.statements;

/** Shows the customer, dates, and additional fields of a statement. */
export function StatementFacts({ statement }: { readonly statement: StatementDetail }) {
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
                onPress={() => navigate({ screen: 'subscriptions', item: String(subscription_id) })}
              >
                {subscription_id}
              </Link>
              <Link onPress={() => openFilteredScreen('webhooks', { subscription_id })}>
                {text.showWebhooks}
              </Link>
            </span>,
          ],
          [text.billing, Address(statement.billing)],
          [text.shipping, Address(statement.shipping)],
          [text.memo, statement.memo],
        ]}
      />
      <FactsPanel
        title={text.dates}
        rows={[
          [text.opened, <DateTime key="opened" at={statement.opened_at} precision="second" />],
          [text.closed, <DateTime key="closed" at={statement.closed_at} precision="second" />],
          [text.settled, <DateTime key="settled" at={statement.settled_at} precision="second" />],
          [text.created, <DateTime key="created" at={statement.created_at} precision="second" />],
          [text.updated, <DateTime key="updated" at={statement.updated_at} precision="second" />],
          [text.readAt, <RelativeTime key="read" at={statement.synced_at} />],
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

/** Shows a postal address line by line, omitting empty parts. */
function Address(address: StatementDetail['billing']) {
  const city = [address.zip, address.city, address.state].filter(Boolean).join(' ');
  const lines = [address.street, address.street_2, city, address.country].filter(Boolean);
  return lines.length === 0 ? null : <span className="address">{lines.join('\n')}</span>;
}
