import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { MatchGroupDetail, Outputs, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/useCommands.tsx';
import { Link } from '../controls/Link.tsx';
import { Panel } from '../controls/Pieces.tsx';
import { Facts, Moment, Money } from '../controls/Values.tsx';
import { DetailPending } from '../frame/DetailPending.tsx';
import { Detail } from '../frame/Screen.tsx';
import { go } from '../view/view.ts';
import { dateText } from '../words/moments.ts';
import { moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';
import { GroupStatusMark, ruleTitle } from './looks.tsx';

const text = words.matching;

interface GroupDetailProps {
  readonly site: Site;
  readonly id: number;
  readonly passes: Outputs['match']['passes'];
}

/** One match: both sides with their sums, what was compared, and what was decided. */
export function GroupDetail({ site, id, passes }: GroupDetailProps) {
  const { data: group, error } = useQuery('match.get', { site: site.site, id });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" bare />;
  if (!group || error) {
    return <DetailPending title={text.detail(id)} actions={actions} error={error} notHeld={text.notHeld} />;
  }
  const open = group.status === 'suggested' || group.status === 'ambiguous';
  return (
    <Detail
      label={text.detail(id)}
      actions={actions}
      head={
        <>
          <h2>{ruleTitle(group.rule, passes)}</h2>
          <p>
            <GroupStatusMark status={group.status} pill />
            <span>{group.rivals === 0 ? text.unique : text.rivals(group.rivals)}</span>
          </p>
        </>
      }
    >
      <div className="detail-body" key={group.id}>
        <div className="decisions">
          {open && <CommandButton id="matching.confirm" kind="primary" />}
          {open && <CommandButton id="matching.decline" />}
          {(group.status === 'confirmed' || group.status === 'declined') && (
            <CommandButton id="matching.undo" />
          )}
        </div>
        <BankSide group={group} />
        <StatementSide group={group} />
        <Balance group={group} />
        <Panel title={text.why}>
          <Facts
            rows={group.reasons.map(({ field, text: said }) => [field.replaceAll('_', ' '), said] as const)}
          />
        </Panel>
        <History group={group} />
      </div>
    </Detail>
  );
}

function BankSide({ group }: { readonly group: MatchGroupDetail }) {
  if (group.line_count === 0) return null;
  return (
    <Panel title={text.bankSide} aside={<Money cents={group.lines_in_cents} currency={group.currency} />}>
      <ul className="match-side">
        {group.bank_lines.map((line) => (
          <li key={line.id}>
            <span>
              <Link onPress={() => go({ screen: 'bank', item: String(line.id) })}>
                {line.description || text.openLine}
              </Link>
              <small>
                {dateText(line.booked_on)} · {line.account}
                {line.reference !== null && ` · ${line.reference}`}
              </small>
            </span>
            <Money cents={line.allocated_in_cents} />
          </li>
        ))}
        <More shown={group.bank_lines.length} of={group.line_count} />
      </ul>
    </Panel>
  );
}

function StatementSide({ group }: { readonly group: MatchGroupDetail }) {
  if (group.transaction_count === 0) return null;
  return (
    <Panel
      title={text.statementSide}
      aside={<Money cents={group.transactions_in_cents} currency={group.currency} />}
    >
      <ul className="match-side">
        {group.transactions.map((each) => (
          <li key={each.id}>
            <span>
              <Link onPress={() => go({ screen: 'statements', item: String(each.statement_id) })}>
                {each.customer_name ?? text.openStatement}
              </Link>
              <small>
                {dateText(each.paid_on)} · {words.statements.detail(each.statement_id)}
                {each.gateway_transaction_id !== null && ` · ${each.gateway_transaction_id}`}
              </small>
            </span>
            <Money cents={each.allocated_in_cents} />
          </li>
        ))}
        <More shown={group.transactions.length} of={group.transaction_count} />
      </ul>
    </Panel>
  );
}

function More({ shown, of }: { readonly shown: number; readonly of: number }) {
  return shown < of ? <li className="fineprint">{text.more(of - shown)}</li> : null;
}

/** What closes the gap between the two sides, and what is left of it. */
function Balance({ group }: { readonly group: MatchGroupDetail }) {
  const even = group.difference_in_cents === 0;
  const Icon = even ? CircleCheck : TriangleAlert;
  return (
    <>
      {group.adjustments.length > 0 && (
        <Panel title={text.adjustments}>
          <ul className="match-side">
            {group.adjustments.map(({ category, amount_in_cents, reason }) => (
              <li key={`${category} ${amount_in_cents}`}>
                <span>
                  {category}
                  {reason !== null && <small>{reason}</small>}
                </span>
                <Money cents={amount_in_cents} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <p className={`callout ${even ? 'callout-good' : 'callout-warn'}`}>
        <Icon size={16} aria-hidden="true" />
        <span>
          {even ? text.comesOut : text.differs(moneyText(group.difference_in_cents, group.currency))}
        </span>
      </p>
    </>
  );
}

function History({ group }: { readonly group: MatchGroupDetail }) {
  return (
    <Panel title={text.history}>
      <ul className="match-history">
        {group.history.map((entry) => (
          <li key={`${entry.at} ${entry.what} ${entry.text}`}>
            {text.did[entry.what]}
            <small>
              {entry.who ?? text.byRun} · <Moment at={entry.at} />
              {entry.text !== null && ` · ${entry.text}`}
            </small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
