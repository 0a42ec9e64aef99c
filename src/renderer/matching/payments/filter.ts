import { ArrowLeftRight, CircleDot } from 'lucide-react';
import { create } from 'zustand';
import type { MatchState, PaymentFilter } from '../../../contract/index.ts';
import { type FilterField, those } from '../../filters/fields.ts';
import { figureField } from '../../filters/figure-field.ts';
import { amountText } from '../../words/money.ts';
import { words } from '../../words/words.ts';

const text = words.payments;
const { states } = words.bank;
const stateNames = Object.keys(states) as MatchState[];

/** What the payments are narrowed to; kept while one looks elsewhere. */
export const usePaymentFilter = create<{ readonly filter: PaymentFilter }>(() => ({ filter: {} }));

export function filterPayments(filter: PaymentFilter): void {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  usePaymentFilter.setState({ filter: Object.fromEntries(set) as PaymentFilter });
}

/** Payments or refunds alone. */
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

/** The days on which payments were made. */
export function paidField<F extends Pick<PaymentFilter, 'since' | 'until'>>(): FilterField<F> {
  return {
    kind: 'days',
    id: 'paid',
    label: text.filters.paid,
    read: ({ since, until }) => ({ since, until }),
    write: (filter, { since, until }) => ({ ...filter, since, until }),
  };
}

/** One amount alone, set from elsewhere. */
export function amountField<
  F extends Pick<PaymentFilter, 'least_in_cents' | 'most_in_cents'>,
>(): FilterField<F> {
  return {
    kind: 'fixed',
    id: 'amount',
    label: text.columns.amount,
    text: ({ most_in_cents }) => (most_in_cents === undefined ? null : amountText(most_in_cents)),
    clear: (filter) => ({ ...filter, least_in_cents: undefined, most_in_cents: undefined }),
  };
}

/** What all payments are filtered by. */
export const paymentFields: readonly FilterField<PaymentFilter>[] = [
  {
    kind: 'choice',
    id: 'state',
    label: text.filters.state,
    icon: CircleDot,
    several: true,
    options: stateNames.map((value) => ({ value, label: states[value] })),
    chosen: ({ state = [] }) => state,
    choose: (filter, values) => ({ ...filter, state: those(stateNames, values) }),
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
  figureField(),
];
