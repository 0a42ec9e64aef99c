import type { StatementDetail as Detailed, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/useCommands.tsx';
import { Tabs } from '../controls/Pieces.tsx';
import { Moment, Money } from '../controls/Values.tsx';
import { DetailPending } from '../frame/DetailPending.tsx';
import { Detail } from '../frame/Screen.tsx';
import { setTab, useView } from '../view/view.ts';
import { momentText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { Details } from './Details.tsx';
import { Events } from './Events.tsx';
import { figuresOf } from './figures.ts';
import { HtmlView } from './HtmlView.tsx';
import { PdfPane } from './PdfPane.tsx';
import { StateStatus } from './StateStatus.tsx';
import { Transactions } from './Transactions.tsx';
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
      <FiguresRow statement={statement} currency={site.currency} />
      <Parts statement={statement} site={site} />
    </Detail>
  );
}

function FiguresRow({ statement, currency }: { readonly statement: Detailed; readonly currency: string }) {
  const { opening, charges, payments, other, closing } = figuresOf(statement);
  const { figures } = text;
  return (
    <dl className="figures" aria-label={text.figuresLabel}>
      <Figure name={figures.opening} cents={opening} currency={currency} />
      <Figure name={figures.charges} cents={charges} currency={currency} sign="+" />
      <Figure name={figures.payments} cents={payments} currency={currency} sign="−" />
      {other !== 0 && (
        <Figure
          name={figures.other}
          cents={Math.abs(other)}
          currency={currency}
          sign={other < 0 ? '−' : '+'}
        />
      )}
      <Figure name={figures.closing} cents={closing} currency={currency} sign="=" />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly cents: number;
  readonly currency: string;
  readonly sign?: string;
}

function Figure({ name, cents, currency, sign }: FigureProps) {
  return (
    <div className={sign === '=' ? 'figure figure-result' : 'figure'}>
      {sign && (
        <span className="figure-sign" aria-hidden="true">
          {sign}
        </span>
      )}
      <dt>{name}</dt>
      <dd>
        <Money cents={cents} currency={currency} />
      </dd>
    </div>
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
              <pre className="statement-text">
                <code>{statement.text_view}</code>
              </pre>
            ) : (
              <p className="tab-note">{text.noText}</p>
            ),
        },
        { id: 'details', title: text.tabs.details, body: () => <Details statement={statement} /> },
      ]}
    />
  );
}
