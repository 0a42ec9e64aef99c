import type { StatementDetail as Detailed, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Tabs } from '../controls/pieces.tsx';
import { Moment } from '../controls/values.tsx';
import { DetailPending } from '../frame/detail-pending.tsx';
import { Detail } from '../frame/screen.tsx';
import { setTab, useView } from '../view/view.ts';
import { momentText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { Chain } from './chain.tsx';
import { Details } from './details.tsx';
import { Events } from './events.tsx';
import { FiguresRow } from './figures.tsx';
import { HtmlView } from './html-view.tsx';
import { PdfPane } from './pdf-pane.tsx';
import { StateStatus } from './state-status.tsx';
import { TextView } from './text-view.tsx';
import { Transactions } from './transactions.tsx';
import './statements.css';

const text = words.statements;

const tabIds = ['transactions', 'pdf', 'events', 'html', 'text', 'details'] as const;
type TabId = (typeof tabIds)[number];

/** A statement in full: its figures, and each of its parts as a tab. */
export function StatementDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: statement, error, loading } = useQuery('statements.get', { site: site.site, id });
  const actions = (
    <>
      <CommandButton id="view.expand" kind="quiet" bare />
      <CommandButton id="view.closeDetail" kind="quiet" bare />
    </>
  );
  if (!statement || (error && !loading)) {
    return (
      <DetailPending title={text.detail(id)} actions={actions} error={error} notHeld={text.notHeldText} />
    );
  }
  return (
    <Detail
      label={text.detail(statement.id)}
      actions={actions}
      head={
        <>
          <h2>{statement.customer_name}</h2>
          <p>
            <StateStatus state={statement.state} pill />
            <span>{text.detail(statement.id)}</span>
            <span>
              <Moment at={statement.opened_at} to="day" /> – <Moment at={statement.closed_at} to="day" />
            </span>
          </p>
        </>
      }
    >
      {statement.vanished_at && (
        <p className="callout callout-warn statement-vanished">
          {text.vanished(momentText(statement.vanished_at))}
        </p>
      )}
      <Chain statement={statement} currency={site.currency} />
      <FiguresRow statement={statement} currency={site.currency} />
      <Parts statement={statement} site={site} />
    </Detail>
  );
}

function Parts({ statement, site }: { readonly statement: Detailed; readonly site: Site }) {
  const chosen = useView((view) => tabIds.find((id) => id === view.tabs['statement']) ?? 'transactions');
  const html = statement.html_view ?? statement.basic_html_view;
  return (
    <Tabs<TabId>
      label={text.detailTabs}
      chosen={chosen}
      onChoose={(tab) => setTab('statement', tab)}
      tabs={[
        {
          id: 'transactions',
          title: text.tabs.transactions,
          count: statement.transactions.length,
          body: () => <Transactions statement={statement} currency={site.currency} />,
        },
        {
          id: 'pdf',
          title: text.tabs.pdf,
          body: () => <PdfPane key={statement.id} site={site} id={statement.id} inList />,
        },
        {
          id: 'events',
          title: text.tabs.events,
          count: statement.events.length,
          body: () => <Events events={statement.events} />,
        },
        {
          id: 'html',
          title: text.tabs.html,
          body: () => (html ? <HtmlView statement={statement} /> : <p className="tab-note">{text.noHtml}</p>),
        },
        {
          id: 'text',
          title: text.tabs.text,
          body: () =>
            statement.text_view ? (
              <TextView text={statement.text_view} />
            ) : (
              <p className="tab-note">{text.noText}</p>
            ),
        },
        { id: 'details', title: text.tabs.details, body: () => <Details statement={statement} /> },
      ]}
    />
  );
}
