import { ArrowLeftRight, CircleDot } from 'lucide-react';
import type { PaymentFilter } from '../../../contract/index.ts';
import {
  createAmountRangeField,
  createDayRangeFilterField,
  createFigureFilterField,
  createMultiChoiceField,
  createReadOnlyField,
  type FilterField,
} from '../../filters/filter-field.ts';
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

export const paymentFilterFields: readonly FilterField<PaymentFilter>[] = [
  createMultiChoiceField('state', {
    label: text.filters.state,
    icon: CircleDot,
    options: Object.entries(texts.bank.states).map(([value, label]) => ({ value, label })),
  }),
  createPaymentKindFilterField(),
  createDayRangeFilterField('paid', text.filters.paid),
  createAmountRangeField(),
  createReadOnlyField('currency', text.columns.currency),
  createReadOnlyField(
    'vanished',
    text.filters.vanished,
    (vanished) => text.vanishedOrNot[vanished ? 'yes' : 'no'],
  ),
  createFigureFilterField(),
];
