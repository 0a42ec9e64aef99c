import { ChevronLeft, ChevronRight, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StatementDetail } from '../../contract/index.ts';
import { StatusLabel } from '../controls/status-label.tsx';
import { DateTime, Money } from '../controls/values.tsx';
import { navigate } from '../navigation/window-state.ts';
import { formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';

const text = texts.statements;

type Neighbor = NonNullable<StatementDetail['previous']>;

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
          <BroughtForward
            step={statement.starting_balance_in_cents - previous.ending_balance_in_cents}
            currency={currency}
          />
        </>
      ) : (
        <span className="chain-end">{text.firstStored}</span>
      )}
      <span className="chain-gap" />
      {next ? (
        <>
          <BroughtForward
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
        <span className="chain-end">{text.lastStored}</span>
      )}
    </nav>
  );
}

interface LinkProps {
  readonly to: Neighbor;
  readonly name: string;
  readonly children: ReactNode;
}

function Link({ to, name, children }: LinkProps) {
  return (
    <button type="button" title={name} onClick={() => navigate({ item: String(to.id) }, true)}>
      <span className="visually-hidden">{name}</span>
      {children}
    </button>
  );
}

function Closed({ of }: { readonly of: Neighbor }) {
  return of.closed_at === null ? (
    <span>{text.stillOpen}</span>
  ) : (
    <DateTime at={of.closed_at} precision="day" />
  );
}

/** Whether an opening balance is the closing balance before it. */
function BroughtForward({ step, currency }: { readonly step: number; readonly currency: string }) {
  return step === 0 ? (
    <StatusLabel tone="good" icon={CircleCheck}>
      {text.carried}
    </StatusLabel>
  ) : (
    <span title={text.notCarried(formatMoney(step, currency))}>
      <StatusLabel tone="bad" icon={TriangleAlert}>
        {formatMoney(step, currency)}
      </StatusLabel>
    </span>
  );
}
