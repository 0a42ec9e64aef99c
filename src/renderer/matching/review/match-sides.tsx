import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { MatchGroup } from '../../../contract/index.ts';
import { namesPayment } from '../../../domain/matching/model/names-payment.ts';
import { Money } from '../../controls/formatted-values.tsx';
import { Panel } from '../../controls/panel.tsx';
import { formatDate } from '../../texts/date-times.ts';
import { formatAmount, formatMoney } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import {
  BankLineItem,
  MatchAdjustmentItems,
  MatchedPaymentItem,
  OmittedItemCount,
} from '../shared/match-items.tsx';

const text = texts.matching;

interface SideProps {
  readonly group: MatchGroup;
}

/** Lists the bank lines of a match. Each one links to the bank screen. */
export function MatchBankLines({ group }: SideProps) {
  if (group.line_count === 0) return null;
  return (
    <Panel
      title={text.bankSide}
      // Shows no total for a deposit and its payout, because the two amounts cancel each other out.
      aside={
        group.payout === null ? <Money cents={group.lines_in_cents} currency={group.currency} /> : undefined
      }
    >
      <ul className="match-side">
        {group.bank_lines.map((line) => (
          <BankLineItem
            key={line.id}
            line={line}
            facts={[formatDate(line.booked_on), line.account, line.reference]}
            amount={<ClaimedAmount of={line} />}
          />
        ))}
        <OmittedItemCount shown={group.bank_lines.length} of={group.line_count} />
      </ul>
    </Panel>
  );
}

/** Lists the payments of a match, with links to their statements, PDFs, and subscriptions. */
export function MatchPayments({ group }: SideProps) {
  if (group.transaction_count === 0) return null;
  return (
    <Panel
      title={text.statementSide}
      aside={<Money cents={group.transactions_in_cents} currency={group.currency} />}
    >
      <ul className="match-side">
        {group.transactions.map((payment) => (
          <MatchedPaymentItem
            key={payment.id}
            payment={payment}
            note={[formatDate(payment.paid_on), payment.gateway_transaction_id].filter(Boolean).join(' · ')}
            amount={<ClaimedAmount of={payment} />}
          />
        ))}
        <OmittedItemCount shown={group.transactions.length} of={group.transaction_count} />
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

/** Lists the categories to which the difference is assigned. */
export function MatchAdjustments({ group }: SideProps) {
  if (group.adjustments.length === 0) return null;
  return (
    <Panel title={text.adjustments}>
      <ul className="match-side">
        <MatchAdjustmentItems group={group} />
      </ul>
    </Panel>
  );
}

/** States the unexplained difference of a match, or that a proposed match has no payment. */
export function MatchDifference({ group }: SideProps) {
  const isProposed = group.status === 'suggested' || group.status === 'ambiguous';
  const hasPayment = !isProposed || namesPayment(group);
  const isBalanced = hasPayment && group.difference_in_cents === 0;
  const Icon = isBalanced ? CircleCheck : TriangleAlert;
  return (
    <p className={`callout ${isBalanced ? 'callout-good' : 'callout-warn'}`}>
      <Icon size={16} aria-hidden="true" />
      <span>
        {isBalanced && text.noDifference}
        {!hasPayment && text.noPayment}
        {hasPayment &&
          !isBalanced &&
          text.unexplainedAmount(formatMoney(group.difference_in_cents, group.currency))}
      </span>
    </p>
  );
}
