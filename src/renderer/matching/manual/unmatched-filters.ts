import type { BankAccount, BankLineFilter, PaymentFilter } from '../../../contract/index.ts';
import { createBankLineFilterFields } from '../../bank/filter-fields.ts';
import {
  createAmountRangeField,
  createDayRangeFilterField,
  type FilterField,
} from '../../filters/filter-field.ts';
import { texts } from '../../texts/texts.ts';
import { createPaymentKindFilterField } from '../payments/payment-filter.ts';

/** Returns the filter, limited to items that are not fully matched. */
export function limitFilterToUnmatchedItems<F extends object>(filter: F): F & { state: UnmatchedState[] } {
  return { ...filter, state: ['open', 'ambiguous', 'suggested', 'partial'] };
}

type UnmatchedState = 'open' | 'ambiguous' | 'suggested' | 'partial';

const usedFieldIds: readonly string[] = ['account', 'flow', 'booked', 'amount'];

export function getUnmatchedLineFilterFields(
  accounts: readonly BankAccount[],
): FilterField<BankLineFilter>[] {
  return createBankLineFilterFields(accounts).filter(({ id }) => usedFieldIds.includes(id));
}

export const unmatchedPaymentFilterFields: readonly FilterField<PaymentFilter>[] = [
  createPaymentKindFilterField(),
  createDayRangeFilterField('paid', texts.payments.filters.paid),
  createAmountRangeField(),
];
