import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { MatchGroup } from '../../../contract/index.ts';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { Money } from '../../controls/values.tsx';
import { openPlace, placeOf } from '../../view/place.ts';
import { dateText } from '../../words/moments.ts';
import { amountText, moneyText } from '../../words/money.ts';
import { words } from '../../words/words.ts';
import { SourceLinks } from '../source-links.tsx';

const text = words.matching;

interface SideProps {
  readonly group: MatchGroup;
}

/** What the bank says of a match, each line leading to where it stands. */
export function BankSide({ group }: SideProps) {
  if (group.line_count === 0) return null;
  return (
    <Panel
      title={text.bankSide}
      // A deposit and its payout cancel each other out: what they come to together says nothing.
      aside={
        group.payout === null ? <Money cents={group.lines_in_cents} currency={group.currency} /> : undefined
      }
    >
      <ul className="match-side">
        {group.bank_lines.map((line) => (
          <li key={line.id}>
            <span>
              <Link onPress={() => openPlace(placeOf.bankLine(line.id))}>
                {line.description || text.openLine}
              </Link>
              <small>
                {dateText(line.booked_on)} · {line.account}
                {line.reference !== null && ` · ${line.reference}`}
              </small>
            </span>
            <Part of={line} />
          </li>
        ))}
        <More shown={group.bank_lines.length} of={group.line_count} />
      </ul>
    </Panel>
  );
}

/** What the statements say, each payment with the ways to its statement, PDF and subscription. */
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
                {dateText(each.paid_on)}
                {each.gateway_transaction_id !== null && ` · ${each.gateway_transaction_id}`}
              </small>
              <SourceLinks statement={each.statement_id} subscription={each.subscription_id} />
            </span>
            <Part of={each} />
          </li>
        ))}
        <More shown={group.transactions.length} of={group.transaction_count} />
      </ul>
    </Panel>
  );
}

/** What the match takes of it; of what, where that is not all. */
function Part({ of }: { readonly of: { amount_in_cents: number; allocated_in_cents: number } }) {
  return (
    <span className="match-part">
      <Money cents={of.allocated_in_cents} />
      {of.allocated_in_cents !== of.amount_in_cents && (
        <small>{text.partOf(amountText(of.amount_in_cents))}</small>
      )}
    </span>
  );
}

function More({ shown, of }: { readonly shown: number; readonly of: number }) {
  return shown < of ? <li className="fineprint">{text.more(of - shown)}</li> : null;
}

/** What the difference between the two sides was put down to. */
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

/** Whether anything is left unexplained. */
export function Difference({ group }: SideProps) {
  const even = group.difference_in_cents === 0;
  const Icon = even ? CircleCheck : TriangleAlert;
  return (
    <p className={`callout ${even ? 'callout-good' : 'callout-warn'}`}>
      <Icon size={16} aria-hidden="true" />
      <span>{even ? text.comesOut : text.differs(moneyText(group.difference_in_cents, group.currency))}</span>
    </p>
  );
}
