import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

interface PartialPayment {
  /** Name as the bank prints it. */
  readonly payer: string;
  /** Payment of the trap's price. */
  readonly own: MatchPayment;
  /** Larger payment of the same customer, of which a line pays a part. */
  readonly larger: MatchPayment;
  /** Amount of the larger payment that remains after a part of the trap's price. */
  readonly remainder: number;
}

/** Adds two payments of a customer. A part of the larger one equals the other. */
function addTwoPayments(trap: TrapBuilder): PartialPayment {
  trap.addBackground();
  const name = trap.variant % 2 === 0 ? trap.company() : trap.person();
  const remainder = trap.price * 3 + 1700 + trap.variant;
  const own = trap.pay({ name });
  const larger = trap.pay({ name, amount_in_cents: trap.price + remainder });
  return { payer: name.toUpperCase(), own, larger, remainder };
}

/** Adds a line without a name that two customers' payments of its amount fit. */
function addAmbiguousLine(trap: TrapBuilder, { amount_in_cents }: MatchPayment): void {
  const other = trap.pay({ name: trap.person(), amount_in_cents });
  trap.line({ days: 3, amount_in_cents }, { payments: [other], confirm: 'never', kind: 'amount-only' });
}

/** Parts of a payment that equal another payment of the same customer. */
export const partialPayments: readonly Trap[] = [
  {
    title: 'the first of two parts equals another payment of the customer, the second part has no name',
    cause: 4,
    fill: (trap) => {
      const { payer, larger, remainder } = addTwoPayments(trap);
      trap.line({ counterparty: payer }, { payments: [larger], confirm: 'never', kind: 'partial' });
      trap.line(
        { days: 2 + (trap.variant % 3), amount_in_cents: remainder },
        { payments: [larger], confirm: 'never', kind: 'partial' },
      );
    },
  },
  {
    title: 'both parts have the name, and a line without a name may pay the total',
    cause: 4,
    fill: (trap) => {
      const { payer, larger, remainder } = addTwoPayments(trap);
      addAmbiguousLine(trap, larger);
      trap.line({ counterparty: payer }, { payments: [larger], confirm: 'never', kind: 'partial' });
      trap.line(
        { days: 2 + (trap.variant % 3), amount_in_cents: remainder, counterparty: payer },
        { payments: [larger], confirm: 'never', kind: 'partial' },
      );
    },
  },
  {
    title: 'a part equals another payment of the customer that a line without a name pays',
    cause: 4,
    fill: (trap) => {
      const { payer, own, larger } = addTwoPayments(trap);
      addAmbiguousLine(trap, larger);
      // The line without a name could also be that of another customer, whose own line is stored.
      const paid = trap.pay({ name: trap.person() });
      trap.line(
        { counterparty: (paid.names[0] ?? '').toUpperCase(), reference: String(paid.statement_id) },
        { payments: [paid], kind: 'clean' },
      );
      trap.line({ days: 3, counterparty: payer }, { payments: [larger], confirm: 'never', kind: 'partial' });
      trap.line({ days: 4 }, { payments: [own], confirm: 'never', kind: 'amount-only' });
    },
  },
];
