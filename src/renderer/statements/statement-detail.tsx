import type { StatementDetail as Detailed, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommentsPanel } from '../comments/comments-panel.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { RecordPane } from '../list-screen/record-pane.tsx';
import { selectTab, useWindowState } from '../navigation/window-state.ts';
import { formatDateTime } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { StatementEvents } from './statement-events.tsx';
import { StatementFacts } from './statement-facts.tsx';
import { StatementFiguresRow } from './statement-figures-row.tsx';
import { StatementHtmlView } from './statement-html-view.tsx';
import { StatementNeighborLinks } from './statement-neighbor-links.tsx';
import { PdfPane } from './statement-pdf-pane.tsx';
import { StatementDateRange, StatementStatus } from './statement-status.tsx';
import { StatementTextView } from './statement-text-view.tsx';
import { StatementTransactions } from './statement-transactions.tsx';
import './statements.css';

const text = texts.statements;

const tabIds = ['transactions', 'pdf', 'events', 'html', 'text', 'details'] as const;
type TabId = (typeof tabIds)[number];

/** Shows one statement with its figures and a tab for each section. */
export function StatementDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const query = useQuery('statements.get', { site: site.site, id });
  return (
    <RecordPane
      title={text.detail(id)}
      labelOf={(record) => text.detail(record.id)}
      query={query}
      commands={['view.expand']}
      notFoundText={text.notStoredText}
      head={(statement) => (
        <>
          <h2>{statement.customer_name}</h2>
          <p>
            <StatementStatus status={statement.state} pill />
            <span>{text.detail(statement.id)}</span>
            <StatementDateRange statement={statement} />
          </p>
        </>
      )}
    >
      {(statement) => (
        <>
          {statement.vanished_at && (
            <p className="callout callout-warn statement-vanished">
              {text.vanished(formatDateTime(statement.vanished_at))}
            </p>
          )}
          <StatementNeighborLinks statement={statement} currency={site.currency} />
          <StatementFiguresRow statement={statement} currency={site.currency} />
          <StatementTabs statement={statement} site={site} />
        </>
      )}
    </RecordPane>
  );
}

function StatementTabs({ statement, site }: { readonly statement: Detailed; readonly site: Site }) {
  const chosen = useWindowState(
    (view) => tabIds.find((id) => id === view.tabs['statement']) ?? 'transactions',
  );
  const html = statement.html_view ?? statement.basic_html_view;
  return (
    <Tabs<TabId>
      label={text.detailTabs}
      chosen={chosen}
      onChoose={(tab) => selectTab('statement', tab)}
      tabs={[
        {
          id: 'transactions',
          title: text.tabs.transactions,
          count: statement.transactions.length,
          body: () => <StatementTransactions statement={statement} currency={site.currency} />,
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
          body: () => <StatementEvents events={statement.events} />,
        },
        {
          id: 'html',
          title: text.tabs.html,
          body: () =>
            html ? <StatementHtmlView statement={statement} /> : <p className="tab-note">{text.noHtml}</p>,
        },
        {
          id: 'text',
          title: text.tabs.text,
          body: () =>
            statement.text_view ? (
              <StatementTextView text={statement.text_view} />
            ) : (
              <p className="tab-note">{text.noText}</p>
            ),
        },
        {
          id: 'details',
          title: text.tabs.details,
          body: () => (
            <>
              <StatementFacts site={site.site} statement={statement} />
              <CommentsPanel site={site.site} kind="statement" id={statement.id} />
            </>
          ),
        },
      ]}
    />
  );
}
