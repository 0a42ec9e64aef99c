import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { MatchGroup } from '../../../contract/index.ts';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { Money } from '../../controls/values.tsx';
import { openRecordLocation, recordLocations } from '../../navigation/record-location.ts';
import { formatDate } from '../../texts/moments.ts';
import { formatAmount, formatMoney } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { SourceLinks } from '../source-links.tsx';

const text = texts.matching;

interface SideProps {
  readonly group: MatchGroup;
}

/** Lists the bank lines of a match. Each one links to the bank screen. */
export function BankSide({ group }: SideProps) {
  if (group.line_count === 0) return null;
  return (
    <Panel
      title={text.bankSide}
      // Shows no sum for a deposit and its payout, because they cancel each other out.
      aside={
        group.payout === null ? <Money cents={group.lines_in_cents} currency={group.currency} /> : undefined
      }
    >
      <ul className="match-side">
        {group.bank_lines.map((line) => (
          <li key={line.id}>
            <span>
              <Link onPress={() => openRecordLocation(recordLocations.bankLine(line.id))}>
                {line.description || text.openLine}
              </Link>
              <small>
                {formatDate(line.booked_on)} · {line.account}
                {line.reference !== null && ` · ${line.reference}`}
              </small>
            </span>
            <ClaimedAmount of={line} />
          </li>
        ))}
        <MoreItems shown={group.bank_lines.length} of={group.line_count} />
      </ul>
    </Panel>
  );
}

/** Lists the payments of a match, with links to their statements, PDFs, and subscriptions. */
export function StatementSide({ group }: SideProps) {
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
              {each.customer_name ?? text.payment(each.id)}
              <small>
                {formatDate(each.paid_on)}
                {each.gateway_transaction_id !== null && ` · ${each.gateway_transaction_id}`}
              </small>
              <SourceLinks statement={each.statement_id} subscription={each.subscription_id} />
            </span>
            <ClaimedAmount of={each} />
          </li>
        ))}
        <MoreItems shown={group.transactions.length} of={group.transaction_count} />
      </ul>
    </Panel>
  );
}

/** Shows the amount that the match uses, followed by the full amount if it differs. */
function ClaimedAmount({ of }: { readonly of: { amount_in_cents: number; allocated_in_cents: number } }) {
  return (
    <span className="match-part">
      <Money cents={of.allocated_in_cents} />
      {of.allocated_in_cents !== of.amount_in_cents && (
        <small>{text.partOf(formatAmount(of.amount_in_cents))}</small>
      )}
    </span>
  );
}

function MoreItems({ shown, of }: { readonly shown: number; readonly of: number }) {
  return shown < of ? <li className="fineprint">{text.more(of - shown)}</li> : null;
}

/** Lists the categories to which the difference is assigned. */
export function Adjustments({ group }: SideProps) {
  if (group.adjustments.length === 0) return null;
  return (
    <Panel title={text.adjustments}>
      <ul className="match-side">
        {group.adjustments.map(({ category, amount_in_cents, reason }) => (
          <li key={`${category} ${amount_in_cents} ${reason}`}>
            <span>
              {category}
              {reason !== null && <small>{reason}</small>}
            </span>
            <Money cents={amount_in_cents} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Shows the unexplained difference of a match. */
export function UnexplainedDifference({ group }: SideProps) {
  const even = group.difference_in_cents === 0;
  const Icon = even ? CircleCheck : TriangleAlert;
  return (
    <p className={`callout ${even ? 'callout-good' : 'callout-warn'}`}>
      <Icon size={16} aria-hidden="true" />
      <span>
        {even
          ? text.noDifference
          : text.unexplainedAmount(formatMoney(group.difference_in_cents, group.currency))}
      </span>
    </p>
  );
}
