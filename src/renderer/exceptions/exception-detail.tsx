import type { ExceptionDetail as Detailed, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/pieces.tsx';
import { DetailPending } from '../frame/detail-pending.tsx';
import { Detail } from '../frame/screen.tsx';
import { go } from '../view/view.ts';
import { dateText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { Arithmetic } from './arithmetic.tsx';
import { Evidence } from './evidence.tsx';
import { History } from './history.tsx';
import { DecisionStatus, SeverityStatus } from './looks.tsx';
import './exceptions.css';

const text = words.exceptions;

/** One exception: what was found, the figures, the rows behind it, what it means, and what was done about it. */
export function ExceptionDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: exception, error, loading } = useQuery('exceptions.get', { site: site.site, id });
  const actions = (
    <>
      <CommandButton id="view.expand" kind="quiet" bare />
      <CommandButton id="view.closeDetail" kind="quiet" bare />
    </>
  );
  if (!exception || (error && !loading)) {
    return <DetailPending title={text.detail(id)} actions={actions} error={error} notHeld={text.notHeld} />;
  }
  return (
    <Detail
      label={text.detail(exception.id)}
      actions={actions}
      head={
        <>
          <h2>{exception.title}</h2>
          <p>
            <SeverityStatus severity={exception.severity} pill />
            <DecisionStatus status={exception.status} pill />
            {exception.dated_on && <span>{dateText(exception.dated_on)}</span>}
            <About exception={exception} />
          </p>
        </>
      }
    >
      <div className="detail-body" key={exception.id}>
        <p className="finding">{exception.message}</p>
        <Decisions exception={exception} />
        <Arithmetic exception={exception} currency={site.currency} />
        <Evidence exception={exception} />
        <Panel title={text.rule}>
          <p className="prose">{exception.explanation}</p>
        </Panel>
        <History site={site.site} exception={exception} />
      </div>
    </Detail>
  );
}

/** Whose story it belongs to. */
function About({ exception }: { readonly exception: Detailed }) {
  const id = exception.subject.subscription_id;
  if (id === null) return null;
  return (
    <Link onPress={() => go({ screen: 'subscriptions', item: String(id) })}>
      {exception.customer_name ?? text.about.subscription(id)}
    </Link>
  );
}

function Decisions({ exception }: { readonly exception: Detailed }) {
  const { status, remedy, assigned } = exception;
  return (
    <div className="decisions">
      {status === 'open' && remedy === 'replay' && <CommandButton id="exceptions.replay" kind="primary" />}
      {status === 'open' && (
        <CommandButton id="exceptions.accept" kind={remedy === null ? 'primary' : 'plain'} />
      )}
      {status === 'accepted' && <CommandButton id="exceptions.reopen" />}
      <CommandButton id="exceptions.assign" />
      <span className="fineprint">{assigned === null ? text.nobodys : text.assignedTo(assigned)}</span>
    </div>
  );
}
