import type { ReactNode } from 'react';
import type { MatchGroup } from '../../../contract/index.ts';
import { Money } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import { openRecordLocation, recordLocations } from '../../navigation/record-location.ts';
import { texts } from '../../texts/texts.ts';

interface MatchItemProps {
  readonly title: ReactNode;
  /** Secondary facts below the title. */
  readonly note?: ReactNode;
  readonly links?: ReactNode;
  readonly amount: ReactNode;
}

/** List item for a record of a match or payout, with its amount. */
export function MatchItem({ title, note, links, amount }: MatchItemProps) {
  return (
    <li>
      <span>
        {title}
        {note && <small>{note}</small>}
        {links}
      </span>
      {amount}
    </li>
  );
}

interface BankLineItemProps {
  readonly line: { readonly id: number; readonly description: string };
  /** Facts about the bank line. Null entries are omitted. */
  readonly facts: readonly (string | null)[];
  readonly amount: ReactNode;
}

/** List item for a bank line. Its description links to the bank screen. */
export function BankLineItem({ line: { id, description }, facts, amount }: BankLineItemProps) {
  const open = () => openRecordLocation(recordLocations.bankLine(id));
  return (
    <MatchItem
      title={<Link onPress={open}>{description || texts.matching.openLine}</Link>}
      note={facts.filter((fact) => fact !== null).join(' · ')}
      amount={amount}
    />
  );
}

interface MatchedPaymentItemProps {
  readonly payment: MatchGroup['transactions'][number];
  readonly note?: string;
  readonly amount: ReactNode;
}

/** List item for a payment, with links to its statement, PDF, and subscription. */
export function MatchedPaymentItem({ payment, note, amount }: MatchedPaymentItemProps) {
  return (
    <MatchItem
      title={payment.customer_name ?? texts.matching.payment(payment.id)}
      note={note}
      links={<PaymentSourceLinks statement={payment.statement_id} subscription={payment.subscription_id} />}
      amount={amount}
    />
  );
}

/** List items for the categories to which the difference of a match is assigned. */
export function MatchAdjustmentItems({ group: { adjustments } }: { readonly group: MatchGroup }) {
  return adjustments.map(({ category, amount_in_cents, reason }) => (
    <MatchItem
      key={`${category} ${amount_in_cents} ${reason}`}
      title={category}
      note={reason}
      amount={<Money cents={amount_in_cents} />}
    />
  ));
}

/** List item that counts the records that are not listed. Renders nothing if all records are listed. */
export function OmittedItemCount({ shown, of }: { readonly shown: number; readonly of: number }) {
  return shown < of ? <li className="fineprint">{texts.matching.more(of - shown)}</li> : null;
}

const text = texts.matching.sources;

interface SourceLinksProps {
  readonly statement: number;
  readonly subscription: number | null;
}

/** Shows links from a payment to its statement, the statement's PDF, and its subscription. */
export function PaymentSourceLinks({ statement, subscription }: SourceLinksProps) {
  return (
    <span className="match-sources">
      <RecordLink to={recordLocations.statement(statement, 'transactions')}>
        {texts.statements.detail(statement)}
      </RecordLink>
      <RecordLink label={text.ofStatement(statement)} to={recordLocations.statement(statement, 'pdf')}>
        {text.pdf}
      </RecordLink>
      {subscription !== null && (
        <RecordLink to={recordLocations.subscription(subscription)}>
          {text.subscription(subscription)}
        </RecordLink>
      )}
    </span>
  );
}
