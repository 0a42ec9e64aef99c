import type { BankLine, MatchGroup } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { Money } from '../../controls/formatted-values.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import { recordLocations } from '../../navigation/record-location.ts';
import { formatDate } from '../../texts/date-times.ts';
import { formatMoney } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { BankLineItem, MatchAdjustmentItems, MatchedPaymentItem, OmittedItemCount } from './match-items.tsx';
import { MatchStatusBadge } from './match-status-badges.tsx';

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
  const currentMatches = groups.filter(({ status }) => status !== 'declined' && status !== 'undone');
  const pastMatches = groups.filter((group) => !currentMatches.includes(group));
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
      {currentMatches.map((group) => (
        <RelatedMatch key={group.id} group={group} of={of} />
      ))}
      {pastMatches.length > 0 && (
        <details className="bank-more">
          <summary>{text.pastMatches(pastMatches.length)}</summary>
          {pastMatches.map((group) => (
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
        <RecordLink to={recordLocations.match(group.id)}>{text.openMatch(group.id)}</RecordLink>
      </p>
      <ul className="match-side">
        {others.map((line) => (
          <BankLineItem
            key={line.id}
            line={line}
            facts={[formatDate(line.booked_on), line.account]}
            amount={<Money cents={line.allocated_in_cents} />}
          />
        ))}
        <OmittedItemCount shown={group.bank_lines.length} of={group.line_count} />
        {payments.map((payment) => (
          <MatchedPaymentItem
            key={payment.id}
            payment={payment}
            amount={<Money cents={payment.allocated_in_cents} />}
          />
        ))}
        <MatchAdjustmentItems group={group} />
        <OmittedItemCount shown={group.transactions.length} of={group.transaction_count} />
      </ul>
    </div>
  );
}
