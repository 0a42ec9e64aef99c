import type { ExceptionDetail as Detailed, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { DetailPlaceholder } from '../layout/detail-placeholder.tsx';
import { DetailPane } from '../layout/screen.tsx';
import { navigate } from '../navigation/window-state.ts';
import { formatDate } from '../texts/moments.ts';
import { texts } from '../texts/texts.ts';
import { Calculation } from './calculation.tsx';
import { EvidencePanel } from './evidence-panel.tsx';
import { ExceptionHistory } from './exception-history.tsx';
import { ExceptionStatusBadge, SeverityBadge } from './status-badges.tsx';
import './exceptions.css';

const text = texts.exceptions;

/** Shows one exception: its finding, calculation, supporting records, rule explanation, and history. */
export function ExceptionDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: exception, error, loading } = useQuery('exceptions.get', { site: site.site, id });
  const actions = (
    <>
      <CommandButton id="view.expand" kind="quiet" iconOnly />
      <CommandButton id="view.closeDetail" kind="quiet" iconOnly />
    </>
  );
  if (!exception || (error && !loading)) {
    return (
      <DetailPlaceholder
        title={text.detail(id)}
        actions={actions}
        error={error}
        notFoundText={text.notFound}
      />
    );
  }
  return (
    <DetailPane
      label={text.detail(exception.id)}
      actions={actions}
      head={
        <>
          <h2>{exception.title}</h2>
          <p>
            <SeverityBadge severity={exception.severity} pill />
            <ExceptionStatusBadge status={exception.status} pill />
            {exception.dated_on && <span>{formatDate(exception.dated_on)}</span>}
            <SubscriptionLink exception={exception} />
          </p>
        </>
      }
    >
      <div className="detail-body" key={exception.id}>
        <p className="finding">{exception.message}</p>
        <ExceptionActions exception={exception} />
        <Calculation exception={exception} currency={site.currency} />
        <EvidencePanel exception={exception} />
        <Panel title={text.ruleExplanation}>
          <p className="prose">{exception.explanation}</p>
        </Panel>
        <ExceptionHistory site={site.site} exception={exception} />
      </div>
    </DetailPane>
  );
}

/** Links to the subscription that the exception belongs to. */
function SubscriptionLink({ exception }: { readonly exception: Detailed }) {
  const id = exception.subject.subscription_id;
  if (id === null) return null;
  return (
    <Link onPress={() => navigate({ screen: 'subscriptions', item: String(id) })}>
      {exception.customer_name ?? text.about.subscription(id)}
    </Link>
  );
}

function ExceptionActions({ exception }: { readonly exception: Detailed }) {
  const { status, remedy, assigned } = exception;
  return (
    <div className="decisions">
      {status === 'open' && remedy === 'replay' && <CommandButton id="exceptions.replay" kind="primary" />}
      {status === 'open' && (
        <CommandButton id="exceptions.accept" kind={remedy === null ? 'primary' : 'plain'} />
      )}
      {status === 'accepted' && <CommandButton id="exceptions.reopen" />}
      <CommandButton id="exceptions.assign" />
      <span className="fineprint">{assigned === null ? text.notAssigned : text.assignedTo(assigned)}</span>
    </div>
  );
}
