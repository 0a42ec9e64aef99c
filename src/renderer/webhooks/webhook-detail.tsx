import { Search, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import type { WebhookDetail as Detailed, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { DateTime, LabeledValueList, RelativeTime } from '../controls/formatted-values.tsx';
import { JsonView } from '../controls/json-view.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { RecordPane } from '../list-screen/record-pane.tsx';
import { PaymentTrailPanel } from '../matching/trail/payment-trail-panel.tsx';
import { recordLocations } from '../navigation/record-location.ts';
import { navigate, selectTab, useWindowState } from '../navigation/window-state.ts';
import { formatReplayOutcome } from '../replay/replay-outcomes.ts';
import { texts } from '../texts/texts.ts';
import { DeliveryStatus } from './delivery-status.tsx';
import './webhooks.css';

const text = texts.webhooks;

/** Shows one webhook with its last delivery attempt, body, replays, and signature. */
export function WebhookDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const query = useQuery('webhooks.get', { site: site.site, id });
  return (
    <RecordPane
      title={text.detail(id)}
      labelOf={(record) => text.detail(record.id)}
      query={query}
      commands={['view.expand']}
      notFoundText={text.notStored}
      head={(webhook) => (
        <>
          <h2>{webhook.event}</h2>
          <p>
            <DeliveryStatus status={webhook.delivery} pill />
            <span>{text.detail(webhook.id)}</span>
            <CopyButton text={String(webhook.id)} label={text.copyId} />
          </p>
        </>
      )}
    >
      {(webhook) => (
        <div className="detail-body">
          <DeliveryAttempt webhook={webhook} />
          <WebhookBody webhook={webhook} />
          <WebhookReplays webhook={webhook} />
          <PaymentTrailPanel site={site.site} from={{ kind: 'webhook', id: webhook.id }} />
          <Panel
            title={text.signature}
            aside={webhook.signature && <CopyButton text={webhook.signature} label={text.copySignature} />}
          >
            <code className="code-line">{webhook.signature ?? '–'}</code>
          </Panel>
          {Object.keys(webhook.extra).length > 0 && (
            <Panel title={text.extra}>
              <JsonView value={webhook.extra} />
            </Panel>
          )}
          <p className="fineprint">
            {text.readAt} <RelativeTime at={webhook.synced_at} />
          </p>
        </div>
      )}
    </RecordPane>
  );
}

function DeliveryAttempt({ webhook }: { readonly webhook: Detailed }) {
  const { subscription_id: subscription, statement_id: statement } = webhook;
  return (
    <Panel title={text.attempts}>
      {webhook.last_error !== null && (
        <div className="callout callout-bad">
          <TriangleAlert size={15} aria-hidden="true" />
          <div>
            <strong>{webhook.last_error}</strong>
            <span>
              <DateTime at={webhook.last_error_at} precision="second" />
            </span>
          </div>
        </div>
      )}
      {webhook.delivery === 'pending' && <p className="fineprint">{text.pendingText}</p>}
      <LabeledValueList
        rows={[
          [text.columns.created, <DateTime key="created" at={webhook.created_at} precision="second" />],
          [text.columns.lastSent, <DateTime key="sent" at={webhook.last_sent_at} precision="second" />],
          [text.columns.accepted, <DateTime key="accepted" at={webhook.accepted_at} precision="second" />],
          [text.columns.url, webhook.last_sent_url && <code>{webhook.last_sent_url}</code>],
          subscription === null
            ? null
            : [
                text.columns.subscription,
                <RecordLink
                  key="subscription"
                  label={text.showSubscription}
                  to={recordLocations.subscription(subscription)}
                >
                  {subscription}
                </RecordLink>,
              ],
          statement === null
            ? null
            : [
                text.columns.statement,
                <RecordLink
                  key="statement"
                  label={text.showStatement}
                  to={recordLocations.statement(statement)}
                >
                  {statement}
                </RecordLink>,
              ],
        ]}
      />
    </Panel>
  );
}

type BodyTab = 'fields' | 'raw';

function WebhookBody({ webhook }: { readonly webhook: Detailed }) {
  const tab = useWindowState((view) => (view.tabs['body'] === 'raw' ? 'raw' : 'fields'));
  const { fields, body, body_form: form } = webhook;
  return (
    <Panel
      title={text.body}
      aside={
        <span className="panel-aside">
          <span className="fineprint">{text.bodyForms[form]}</span>
          <CopyButton text={body} label={text.copyBody} />
        </span>
      }
    >
      {body === '' ? (
        <p className="fineprint">{text.noBody}</p>
      ) : (
        <Tabs<BodyTab>
          label={text.body}
          chosen={tab}
          onChoose={(chosen) => selectTab('body', chosen)}
          tabs={[
            {
              id: 'fields',
              title: text.table,
              count: fields.length,
              body: () =>
                form === 'unreadable' ? (
                  <p className="fineprint">{text.unreadable}</p>
                ) : (
                  <BodyFields fields={fields} />
                ),
            },
            { id: 'raw', title: text.raw, body: () => <pre className="code-block">{body}</pre> },
          ]}
        />
      )}
    </Panel>
  );
}

const MAX_FIELDS_WITHOUT_SEARCH = 12;

function BodyFields({ fields }: { readonly fields: Detailed['fields'] }) {
  const [search, setSearch] = useState('');
  const searchText = search.trim().toLowerCase();
  const shown = fields
    .map((field, index) => ({ ...field, index }))
    .filter(({ key, value }) => `${key} ${value}`.toLowerCase().includes(searchText));
  return (
    <>
      {fields.length > MAX_FIELDS_WITHOUT_SEARCH && (
        <SearchField
          className="filter-search fields-find"
          aria-label={text.findField}
          value={search}
          onChange={setSearch}
        >
          <Search size={14} aria-hidden="true" />
          <Input placeholder={text.findField} />
        </SearchField>
      )}
      <table className="fields">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{text.bodyKey}</th>
            <th scope="col">{text.bodyValue}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, value, index }) => (
            <tr key={index}>
              <th scope="row">{key}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="fineprint">{text.noField}</p>}
    </>
  );
}

function WebhookReplays({ webhook }: { readonly webhook: Detailed }) {
  return (
    <Panel title={text.replays}>
      {webhook.replays.length === 0 ? (
        <p className="fineprint">{text.noReplays}</p>
      ) : (
        <ul className="lines">
          {webhook.replays.map((replay) => (
            <li key={replay.job}>
              <span>{formatReplayOutcome(replay.outcome)}</span>
              <span className="fineprint">
                <DateTime at={replay.sent_at} precision="second" />
              </span>
              <Link onPress={() => navigate({ screen: 'replays', item: replay.job })}>
                {texts.replay.running}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
