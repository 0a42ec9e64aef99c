import { ChevronLeft, ChevronRight, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StatementDetail } from '../../contract/index.ts';
import { DateTime, Money } from '../controls/formatted-values.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { navigate } from '../navigation/window-state.ts';
import { formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';

const text = texts.statements;

type Neighbor = NonNullable<StatementDetail['previous']>;

interface NeighborLinksProps {
  readonly statement: StatementDetail;
  readonly currency: string;
}

/** Shows links to the previous and next statement, and whether the balance was brought forward between them. */
export function StatementNeighborLinks({ statement, currency }: NeighborLinksProps) {
  const { previous, next } = statement;
  return (
    <nav className="neighbor-links" aria-label={text.neighbors}>
      {previous ? (
        <span className="neighbor-link">
          <NeighborLink to={previous} name={text.previous}>
            <ChevronLeft size={14} aria-hidden="true" />
            <ClosingDay of={previous} />
            <Money cents={previous.ending_balance_in_cents} currency={currency} />
          </NeighborLink>
          <BalanceContinuity
            step={statement.starting_balance_in_cents - previous.ending_balance_in_cents}
            currency={currency}
          />
        </span>
      ) : (
        <span className="neighbor-link neighbor-links-end">{text.firstStored}</span>
      )}
      {next ? (
        <span className="neighbor-link">
          <BalanceContinuity
            step={next.starting_balance_in_cents - statement.ending_balance_in_cents}
            currency={currency}
          />
          <NeighborLink to={next} name={text.next}>
            <Money cents={next.starting_balance_in_cents} currency={currency} />
            <ClosingDay of={next} />
            <ChevronRight size={14} aria-hidden="true" />
          </NeighborLink>
        </span>
      ) : (
        <span className="neighbor-link neighbor-links-end">{text.lastStored}</span>
      )}
    </nav>
  );
}

interface NeighborLinkProps {
  readonly to: Neighbor;
  readonly name: string;
  readonly children: ReactNode;
}

function NeighborLink({ to, name, children }: NeighborLinkProps) {
  return (
    <button type="button" title={name} onClick={() => navigate({ item: String(to.id) }, true)}>
      <span className="visually-hidden">{name}</span>
      {children}
    </button>
  );
}

function ClosingDay({ of }: { readonly of: Neighbor }) {
  return of.closed_at === null ? (
    <span>{text.stillOpen}</span>
  ) : (
    <DateTime at={of.closed_at} precision="day" />
  );
}

/** Shows whether the previous closing balance was brought forward. `step` is the difference in cents. */
function BalanceContinuity({ step, currency }: { readonly step: number; readonly currency: string }) {
  return step === 0 ? (
    <StatusLabel tone="good" icon={CircleCheck} text={text.broughtForward} />
  ) : (
    <span title={text.notBroughtForward(formatMoney(step, currency))}>
      <StatusLabel tone="bad" icon={TriangleAlert} text={formatMoney(step, currency)} />
    </span>
  );
}
