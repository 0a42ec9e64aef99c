import { ArrowLeftRight, CircleDot } from 'lucide-react';
import type { PaymentFilter } from '../../../contract/index.ts';
import {
  createDayRangeFilterField,
  createFigureFilterField,
  createMultiChoiceField,
  createReadOnlyField,
  type FilterField,
} from '../../filters/filter-field.ts';
import { formatAmount } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.payments;

/** Returns a filter field that limits the list to payments or to refunds. */
export function createPaymentKindFilterField<F extends Pick<PaymentFilter, 'kind'>>(): FilterField<F> {
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

/** Returns a filter field that only displays the amount filter. Another control sets this filter. */
export function createAmountFilterField<
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

export const paymentFilterFields: readonly FilterField<PaymentFilter>[] = [
  createMultiChoiceField('state', {
    label: text.filters.state,
    icon: CircleDot,
    options: Object.entries(texts.bank.states).map(([value, label]) => ({ value, label })),
  }),
  createPaymentKindFilterField(),
  createDayRangeFilterField('paid', text.filters.paid),
  createReadOnlyField('currency', text.columns.currency),
  createReadOnlyField(
    'vanished',
    text.filters.vanished,
    (vanished) => text.vanishedOrNot[vanished ? 'yes' : 'no'],
  ),
  createFigureFilterField(),
];
