import { ArrowLeftRight, CircleDot } from 'lucide-react';
import { create } from 'zustand';
import type { MatchState, PaymentFilter } from '../../../contract/index.ts';
import { createFigureFilterField } from '../../filters/figure-field.ts';
import { type FilterField, pickNames } from '../../filters/filter-field.ts';
import { formatAmount } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.payments;
const { states } = texts.bank;
const stateNames = Object.keys(states) as MatchState[];

/** Filter of the payments list. It is preserved when the user visits other screens. */
export const usePaymentFilter = create<{ readonly filter: PaymentFilter }>(() => ({ filter: {} }));

export function setPaymentFilter(filter: PaymentFilter): void {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  usePaymentFilter.setState({ filter: Object.fromEntries(set) as PaymentFilter });
}

/** Returns a filter field that limits the list to payments or to refunds. */
export function paymentKindField<F extends Pick<PaymentFilter, 'kind'>>(): FilterField<F> {
  return {
    kind: 'choice',
    id: 'kind',
    label: text.filters.kind,
    icon: ArrowLeftRight,
    options: (['payment', 'refund'] as const).map((value) => ({ value, label: text.kinds[value] })),
    chosen: ({ kind = [] }) => kind,
    choose: (filter, [value]) => ({
      ...filter,
      kind: value === 'payment' || value === 'refund' ? [value] : undefined,
    }),
  };
}

/** Returns a filter field for the date of payment. */
export function paidField<F extends Pick<PaymentFilter, 'since' | 'until'>>(): FilterField<F> {
  return {
    kind: 'days',
    id: 'paid',
    label: text.filters.paid,
    read: ({ since, until }) => ({ since, until }),
    write: (filter, { since, until }) => ({ ...filter, since, until }),
  };
}

/** Returns a filter field that shows an amount filter. Another control sets the filter. */
export function amountField<
  F extends Pick<PaymentFilter, 'min_in_cents' | 'max_in_cents'>,
>(): FilterField<F> {
  return {
    kind: 'fixed',
    id: 'amount',
    label: text.columns.amount,
    text: ({ max_in_cents }) => (max_in_cents === undefined ? null : formatAmount(max_in_cents)),
    clear: (filter) => ({ ...filter, min_in_cents: undefined, max_in_cents: undefined }),
  };
}

/** Filter fields of the payments tab. */
export const paymentFields: readonly FilterField<PaymentFilter>[] = [
  {
    kind: 'choice',
    id: 'state',
    label: text.filters.state,
    icon: CircleDot,
    allowsMultiple: true,
    options: stateNames.map((value) => ({ value, label: states[value] })),
    chosen: ({ state = [] }) => state,
    choose: (filter, values) => ({ ...filter, state: pickNames(stateNames, values) }),
  },
  paymentKindField(),
  paidField(),
  {
    kind: 'fixed',
    id: 'currency',
    label: text.columns.currency,
    text: ({ currency }) => currency ?? null,
    clear: (filter) => ({ ...filter, currency: undefined }),
  },
  {
    kind: 'fixed',
    id: 'vanished',
    label: text.filters.vanished,
    text: ({ vanished }) => (vanished === undefined ? null : text.vanishedOrNot[vanished ? 'yes' : 'no']),
    clear: (filter) => ({ ...filter, vanished: undefined }),
  },
  createFigureFilterField(),
];
