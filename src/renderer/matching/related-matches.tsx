import type { BankLine, MatchGroup } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { Money } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { openRecordLocation, recordLocations } from '../navigation/record-location.ts';
import { formatDate } from '../texts/moments.ts';
import { formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { SourceLinks } from './source-links.tsx';
import { MatchStatusBadge } from './status-badges.tsx';

const text = texts.bank;
const MAX_MATCHES = 20;

type MatchedRecord = { readonly line: number } | { readonly transaction: number };

interface RelatedMatchesProps {
  readonly site: string;
  /** Bank line or payment whose matches are shown. */
  readonly of: MatchedRecord;
  readonly money: Pick<BankLine, 'amount_in_cents' | 'claimed_in_cents' | 'currency'>;
}

/** Lists the matches of a bank line or payment. Declined and undone matches are collapsed. */
export function RelatedMatches({ site, of, money }: RelatedMatchesProps) {
  const { data, error } = useQuery('match.list', { site, filter: of, members: 5, limit: MAX_MATCHES });
  const groups = data?.rows ?? [];
  const live = groups.filter(({ status }) => status !== 'declined' && status !== 'undone');
  const past = groups.filter((group) => !live.includes(group));
  return (
    <Panel title={text.matches}>
      <p className="fineprint">
        {money.claimed_in_cents === 0
          ? text.unmatched
          : text.matchedAmount(
              formatMoney(money.claimed_in_cents, money.currency),
              formatMoney(money.amount_in_cents, money.currency),
            )}
      </p>
      {error && <ErrorMessage error={error} site={site} />}
      {live.map((group) => (
        <RelatedMatch key={group.id} group={group} of={of} />
      ))}
      {past.length > 0 && (
        <details className="bank-more">
          <summary>{text.pastMatches(past.length)}</summary>
          {past.map((group) => (
            <RelatedMatch key={group.id} group={group} of={of} />
          ))}
        </details>
      )}
    </Panel>
  );
}

interface RelatedMatchProps {
  readonly group: MatchGroup;
  /** Record whose detail is open. The list omits this record. */
  readonly of: MatchedRecord;
}

function RelatedMatch({ group, of }: RelatedMatchProps) {
  const others = group.bank_lines.filter(({ id }) => !('line' in of && of.line === id));
  const payments = group.transactions.filter(({ id }) => !('transaction' in of && of.transaction === id));
  return (
    <div className="line-match">
      <p>
        <MatchStatusBadge status={group.status} />
        <Link onPress={() => openRecordLocation(recordLocations.match(group.id))}>
          {text.openMatch(group.id)}
        </Link>
      </p>
      <ul className="match-side">
        {others.map((other) => (
          <li key={other.id}>
            <span>
              <Link onPress={() => openRecordLocation(recordLocations.bankLine(other.id))}>
                {other.description || texts.matching.openLine}
              </Link>
              <small>
                {formatDate(other.booked_on)} · {other.account}
              </small>
            </span>
            <Money cents={other.allocated_in_cents} />
          </li>
        ))}
        {group.line_count > group.bank_lines.length && (
          <li className="fineprint">{texts.matching.more(group.line_count - group.bank_lines.length)}</li>
        )}
        {payments.map((each) => (
          <li key={each.id}>
            <span>
              {each.customer_name ?? texts.matching.payment(each.id)}
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
            {texts.matching.more(group.transaction_count - group.transactions.length)}
          </li>
        )}
      </ul>
    </div>
  );
}
