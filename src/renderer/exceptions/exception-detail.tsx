import type { ExceptionDetail as Detailed, ExceptionEntry, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { CommentsPanel } from '../comments/comments-panel.tsx';
import { DateTime, MissingValue, Money } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { RecordPane } from '../list-screen/record-pane.tsx';
import { navigate } from '../navigation/window-state.ts';
import { formatDate } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { addCalculationRoles } from './calculation-roles.ts';
import { EvidencePanel } from './evidence-panel.tsx';
import { ExceptionStatusBadge, SeverityBadge } from './status-badges.tsx';
import './exceptions.css';

const text = texts.exceptions;

/** Shows one exception: its finding, calculation, supporting records, rule explanation, comments, and history. */
export function ExceptionDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  return (
    <RecordPane
      title={text.detail(id)}
      labelOf={(exception) => text.detail(exception.id)}
      query={useQuery('exceptions.get', { site: site.site, id })}
      notFoundText={text.notFound}
      commands={['view.expand']}
      head={(exception) => (
        <>
          <h2>{exception.title}</h2>
          <p>
            <SeverityBadge status={exception.severity} pill />
            <ExceptionStatusBadge status={exception.status} pill />
            {exception.dated_on && <span>{formatDate(exception.dated_on)}</span>}
            <SubscriptionLink exception={exception} />
          </p>
        </>
      )}
    >
      {(exception) => (
        <div className="detail-body" key={exception.id}>
          <p className="finding">{exception.message}</p>
          <ExceptionActions exception={exception} />
          <ExceptionMembers members={exception.members} />
          <ExceptionCalculation exception={exception} currency={site.currency} />
          <EvidencePanel exception={exception} />
          <Panel title={text.ruleExplanation}>
            <p className="prose">{exception.explanation}</p>
          </Panel>
          <CommentsPanel site={site.site} kind="exception" id={exception.id} />
          <ExceptionHistory exception={exception} />
        </div>
      )}
    </RecordPane>
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

/** Lists the findings that a grouped exception contains. */
function ExceptionMembers({ members }: Pick<Detailed, 'members'>) {
  if (members.length === 0) return null;
  return (
    <Panel title={text.membersTitle(members.length)}>
      <ul className="exception-members">
        {members.map(({ rule, title, message }) => (
          <li key={`${rule} ${message}`}>
            <b>{title}</b> {message}
          </li>
        ))}
      </ul>
    </Panel>
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

/** Shows the history of an exception. */
export function ExceptionHistory({ exception }: { readonly exception: Detailed }) {
  return (
    <Panel title={text.history}>
      <ol className="history">
        {exception.history.map((entry) => (
          <Entry key={entry.seq} entry={entry} />
        ))}
      </ol>
    </Panel>
  );
}

function Entry({ entry }: { readonly entry: ExceptionEntry }) {
  return (
    <li className={`history-${entry.action}`}>
      <p>
        <b>{text.historyActions[entry.action]}</b> {entry.user !== null && text.byPerson(entry.user)}
        <span className="fineprint">
          <DateTime at={entry.at} />
        </span>
      </p>
      {entry.text && <p className="history-text">{entry.text}</p>}
    </li>
  );
}

/** Shows the calculation of an exception as a column of amounts. */
export function ExceptionCalculation(props: { readonly exception: Detailed; readonly currency: string }) {
  const { exception, currency } = props;
  const lines = addCalculationRoles(exception.arithmetic.map((line, index) => ({ ...line, index })));
  if (lines.length === 0) return null;
  return (
    <Panel title={text.calculation} aside={<span className="fineprint">{currency}</span>}>
      <table className="arithmetic">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{text.calculationLine}</th>
            <th scope="col">{texts.statements.withCurrency(text.amount, currency)}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.index} className={`arithmetic-${line.role}`}>
              <th scope="row">{line.label}</th>
              <td>
                {line.amount_in_cents === null ? <MissingValue /> : <Money cents={line.amount_in_cents} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
