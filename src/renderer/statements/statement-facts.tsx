import { Copy } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import type { StatementDetail } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { DateTime, LabeledValueList, RelativeTime } from '../controls/formatted-values.tsx';
import { JsonView } from '../controls/json-view.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { type CopyableTable, copyTableAndNotify, handleCopyEvent } from '../grid/clipboard/copy-table.ts';
import { RecordLink } from '../layout/record-link.tsx';
import { PaymentTrailPanel } from '../matching/trail/payment-trail-panel.tsx';
import { recordLocations } from '../navigation/record-location.ts';
import { openFilteredList } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.statements;

interface StatementFactsProps {
  readonly site: string;
  readonly statement: StatementDetail;
}

/** Shows the customer, dates, payment trail and additional fields of a statement. */
export function StatementFacts({ site, statement }: StatementFactsProps) {
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
              <RecordLink label={text.showSubscription} to={recordLocations.subscription(subscription_id)}>
                {subscription_id}
              </RecordLink>
              <Link onPress={() => openFilteredList('webhooks', { subscription_id })}>
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
      <PaymentTrailPanel site={site} from={{ kind: 'statement', id: statement.id }} />
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

interface FactsPanelProps {
  readonly title: string;
  readonly rows: ComponentProps<typeof LabeledValueList>['rows'];
}

/** Panel of labeled values. They can be copied as a table with two columns. */
function FactsPanel({ title, rows }: FactsPanelProps) {
  const container = useRef<HTMLElement>(null);
  const table = (): CopyableTable => [
    [{ text: title }, { text: '' }],
    ...[...(container.current?.querySelectorAll('dl > div') ?? [])].map((row) => [
      { text: row.querySelector('dt')?.textContent ?? '' },
      { text: row.querySelector('dd')?.innerText ?? '' },
    ]),
  ];
  return (
    <section
      ref={container}
      aria-label={texts.grid.tableOf(title)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the table is copied with the keyboard
      tabIndex={0}
      onCopy={(event) => handleCopyEvent(event, table)}
    >
      <Panel
        title={title}
        aside={
          <Button
            kind="quiet"
            size="small"
            icon={Copy}
            label={texts.grid.copyTable}
            onPress={() => void copyTableAndNotify(table())}
          />
        }
      >
        <LabeledValueList rows={rows} />
      </Panel>
    </section>
  );
}
