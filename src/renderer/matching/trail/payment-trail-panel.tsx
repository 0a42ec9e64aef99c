import { useState } from 'react';
import type { PaymentTrail, TrailRecord, TrailStart, TrailStep } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { DateTime, Money } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { openRecordLocation, recordLocations } from '../../navigation/record-location.ts';
import { formatDate } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { MatchItem } from '../shared/match-items.tsx';
import { openMatchingTab } from '../shared/matching-route.ts';

const text = texts.payments.trail;

/** Functions that open the records of each step. Null for records without a screen of their own. */
const openers: Readonly<Record<TrailStep, ((id: number) => void) | null>> = {
  charge: null,
  statement: (id) => openRecordLocation(recordLocations.statement(id, 'transactions')),
  payment: (id) => openMatchingTab('payments', id),
  webhook: (id) => openRecordLocation(recordLocations.webhook(id)),
  match: (id) => openRecordLocation(recordLocations.match(id)),
  payout: (id) => openMatchingTab('payouts', id),
  line: (id) => openRecordLocation(recordLocations.bankLine(id)),
  'ledger-line': null,
};

interface PaymentTrailPanelProps {
  readonly site: string;
  readonly from: TrailStart;
}

/** Shows the trail of the payment to which a record belongs, from its charges to the ledger. Loads it on request. */
export function PaymentTrailPanel({ site, from }: PaymentTrailPanelProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title={text.title}>
      {isOpen ? (
        <Trail key={`${from.kind} ${from.id}`} site={site} from={from} />
      ) : (
        <div className="decisions">
          <Button size="small" onPress={() => setOpen(true)}>
            {text.show}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Trail({ site, from }: PaymentTrailPanelProps) {
  const [payment, setPayment] = useState<number>();
  const { data, error } = useQuery('match.trail', { site, from, ...(payment !== undefined && { payment }) });
  if (error) return <ErrorMessage error={error} site={site} />;
  if (data === undefined) return null;
  if (data.payment === null) return <p className="fineprint">{text.none}</p>;
  return (
    <>
      {data.payment_count > 1 && <TrailPayments trail={data} onChoose={setPayment} />}
      {data.steps.map((step) => (
        <TrailStepSection key={step.step} {...step} />
      ))}
    </>
  );
}

interface TrailPaymentsProps {
  readonly trail: PaymentTrail;
  readonly onChoose: (payment: number) => void;
}

/** Lists the payments to which the record belongs. */
function TrailPayments({ trail, onChoose }: TrailPaymentsProps) {
  return (
    <details className="bank-more">
      <summary>{text.payments(trail.payment_count)}</summary>
      <ul className="match-side">
        {trail.payments.map(({ id, customer_name, paid_on, amount_in_cents, currency }) => (
          <MatchItem
            key={id}
            title={
              id === trail.payment ? (
                text.payment(id)
              ) : (
                <Link onPress={() => onChoose(id)}>{text.payment(id)}</Link>
              )
            }
            note={[formatDate(paid_on), customer_name].filter(Boolean).join(' · ')}
            amount={<Money cents={amount_in_cents} currency={currency} />}
          />
        ))}
      </ul>
    </details>
  );
}

function TrailStepSection({ step, records, complete }: PaymentTrail['steps'][number]) {
  return (
    <section aria-label={text.steps[step]}>
      <h4 className="fineprint">{text.steps[step]}</h4>
      {records.length === 0 && <p className="fineprint">{text.emptySteps[step]}</p>}
      {records.length > 0 && (
        <ul className="match-side">
          {records.map((record) => (
            <TrailItem key={record.id} step={step} record={record} />
          ))}
        </ul>
      )}
      {step === 'ledger-line' && records.length > 0 && <p className="fineprint">{text.ledgerNote}</p>}
      {!complete && <p className="fineprint">{text.more}</p>}
    </section>
  );
}

function TrailItem({ step, record }: { readonly step: TrailStep; readonly record: TrailRecord }) {
  const { id, detail, dated_on, at, amount_in_cents, currency } = record;
  const open = openers[step];
  const label = text.describeTitle(step, record);
  return (
    <MatchItem
      title={open ? <Link onPress={() => open(id)}>{label}</Link> : label}
      note={
        <>
          {dated_on === null ? <DateTime at={at} /> : formatDate(dated_on)}
          {detail && ` · ${text.describeDetail(step, detail)}`}
        </>
      }
      amount={
        amount_in_cents === null ? null : (
          <Money cents={amount_in_cents} {...(currency !== null && { currency })} />
        )
      }
    />
  );
}
