import type { BankLine, MatchGroup } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/pieces.tsx';
import { Money } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { openPlace, placeOf } from '../view/place.ts';
import { dateText } from '../words/moments.ts';
import { moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';
import { GroupStatusMark } from './looks.tsx';
import { SourceLinks } from './source-links.tsx';

const text = words.bank;
const MOST = 20;

type Of = { readonly line: number } | { readonly transaction: number };

interface ExplainedProps {
  readonly site: string;
  /** The line or the payment. */
  readonly of: Of;
  readonly money: Pick<BankLine, 'amount_in_cents' | 'claimed_in_cents' | 'currency'>;
}

/** What explains a line or a payment, or may: its matches with what is on the other side, and what was decided against. */
export function Explained({ site, of, money }: ExplainedProps) {
  const { data, error } = useQuery('match.list', { site, filter: of, members: 5, limit: MOST });
  const groups = data?.rows ?? [];
  const live = groups.filter(({ status }) => status !== 'declined' && status !== 'undone');
  const past = groups.filter((group) => !live.includes(group));
  return (
    <Panel title={text.explained}>
      <p className="fineprint">
        {money.claimed_in_cents === 0
          ? text.notExplained
          : text.claimed(
              moneyText(money.claimed_in_cents, money.currency),
              moneyText(money.amount_in_cents, money.currency),
            )}
      </p>
      {error && <ErrorNote error={error} site={site} />}
      {live.map((group) => (
        <Group key={group.id} group={group} of={of} />
      ))}
      {past.length > 0 && (
        <details className="bank-more">
          <summary>{text.earlier(past.length)}</summary>
          {past.map((group) => (
            <Group key={group.id} group={group} of={of} />
          ))}
        </details>
      )}
    </Panel>
  );
}

interface GroupProps {
  readonly group: MatchGroup;
  /** What it is shown for, which is not named again. */
  readonly of: Of;
}

function Group({ group, of }: GroupProps) {
  const others = group.bank_lines.filter(({ id }) => !('line' in of && of.line === id));
  const payments = group.transactions.filter(({ id }) => !('transaction' in of && of.transaction === id));
  return (
    <div className="line-match">
      <p>
        <GroupStatusMark status={group.status} />
        <Link onPress={() => openPlace(placeOf.match(group.id))}>{text.openMatch(group.id)}</Link>
      </p>
      <ul className="match-side">
        {others.map((other) => (
          <li key={other.id}>
            <span>
              <Link onPress={() => openPlace(placeOf.bankLine(other.id))}>
                {other.description || words.matching.openLine}
              </Link>
              <small>
                {dateText(other.booked_on)} · {other.account}
              </small>
            </span>
            <Money cents={other.allocated_in_cents} />
          </li>
        ))}
        {group.line_count > group.bank_lines.length && (
          <li className="fineprint">{words.matching.more(group.line_count - group.bank_lines.length)}</li>
        )}
        {payments.map((each) => (
          <li key={each.id}>
            <span>
              {each.customer_name ?? words.matching.payment(each.id)}
              <SourceLinks statement={each.statement_id} subscription={each.subscription_id} />
            </span>
            <Money cents={each.allocated_in_cents} />
          </li>
        ))}
        {group.adjustments.map(({ category, amount_in_cents, reason }) => (
          <li key={`${category} ${amount_in_cents} ${reason}`}>
            <span>
              {category}
              {reason !== null && <small>{reason}</small>}
            </span>
            <Money cents={amount_in_cents} />
          </li>
        ))}
        {group.transaction_count > group.transactions.length && (
          <li className="fineprint">
            {words.matching.more(group.transaction_count - group.transactions.length)}
          </li>
        )}
      </ul>
    </div>
  );
}
