import { ChevronLeft, ChevronRight, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StatementDetail } from '../../contract/index.ts';
import { Status } from '../controls/status.tsx';
import { Moment, Money } from '../controls/values.tsx';
import { go } from '../view/view.ts';
import { moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';

const text = words.statements;

type Neighbour = NonNullable<StatementDetail['previous']>;

interface ChainProps {
  readonly statement: StatementDetail;
  readonly currency: string;
}

/** Where the statement stands in the chain of its subscription, and whether the balance was carried from one to the next. */
export function Chain({ statement, currency }: ChainProps) {
  const { previous, next } = statement;
  return (
    <nav className="chain" aria-label={text.chain}>
      {previous ? (
        <>
          <Link to={previous} name={text.previous}>
            <ChevronLeft size={14} aria-hidden="true" />
            <Closed of={previous} />
            <Money cents={previous.ending_balance_in_cents} currency={currency} />
          </Link>
          <Carried
            step={statement.starting_balance_in_cents - previous.ending_balance_in_cents}
            currency={currency}
          />
        </>
      ) : (
        <span className="chain-end">{text.firstHeld}</span>
      )}
      <span className="chain-gap" />
      {next ? (
        <>
          <Carried
            step={next.starting_balance_in_cents - statement.ending_balance_in_cents}
            currency={currency}
          />
          <Link to={next} name={text.next}>
            <Money cents={next.starting_balance_in_cents} currency={currency} />
            <Closed of={next} />
            <ChevronRight size={14} aria-hidden="true" />
          </Link>
        </>
      ) : (
        <span className="chain-end">{text.lastHeld}</span>
      )}
    </nav>
  );
}

interface LinkProps {
  readonly to: Neighbour;
  readonly name: string;
  readonly children: ReactNode;
}

function Link({ to, name, children }: LinkProps) {
  return (
    <button type="button" title={name} onClick={() => go({ item: String(to.id) }, true)}>
      <span className="unseen">{name}</span>
      {children}
    </button>
  );
}

function Closed({ of }: { readonly of: Neighbour }) {
  return of.closed_at === null ? <span>{text.stillOpen}</span> : <Moment at={of.closed_at} to="day" />;
}

/** Whether an opening balance is the closing balance before it. */
function Carried({ step, currency }: { readonly step: number; readonly currency: string }) {
  return step === 0 ? (
    <Status tone="good" icon={CircleCheck}>
      {text.carried}
    </Status>
  ) : (
    <span title={text.notCarried(moneyText(step, currency))}>
      <Status tone="bad" icon={TriangleAlert}>
        {moneyText(step, currency)}
      </Status>
    </span>
  );
}
