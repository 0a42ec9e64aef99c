import { create } from 'zustand';
import type { BankAccount, BankLineFilter, PaymentFilter } from '../../../contract/index.ts';
import { createBankLineFilterFields } from '../../bank/filter-fields.ts';
import { createDayRangeFilterField, type FilterField } from '../../filters/filter-field.ts';
import { texts } from '../../texts/texts.ts';
import { createAmountFilterField, createPaymentKindFilterField } from '../payments/payment-filter.ts';

/** Filters of the bank lines and payments in manual matching. They are preserved when the user visits other screens. */
export interface UnmatchedItemFilters {
  readonly lines: Omit<BankLineFilter, 'state'>;
  readonly payments: Omit<PaymentFilter, 'state'>;
}

export const useUnmatchedItemFilters = create<UnmatchedItemFilters>(() => ({ lines: {}, payments: {} }));

export function setUnmatchedItemFilter<S extends keyof UnmatchedItemFilters>(
  side: S,
  filter: UnmatchedItemFilters[S],
): void {
  useUnmatchedItemFilters.setState({ [side]: filter });
}

/** Returns the filter, limited to items that are not fully matched. */
export function limitFilterToUnmatchedItems<F extends object>(filter: F): F & { state: UnmatchedState[] } {
  return { ...filter, state: ['open', 'ambiguous', 'suggested', 'partial'] };
}

type UnmatchedState = 'open' | 'ambiguous' | 'suggested' | 'partial';

const usedFieldIds: readonly string[] = ['account', 'flow', 'booked'];

/** Returns the filter fields for unmatched bank lines. */
export function getUnmatchedLineFilterFields(
  accounts: readonly BankAccount[],
): FilterField<UnmatchedItemFilters['lines']>[] {
  return [
    ...createBankLineFilterFields(accounts).filter(({ id }) => usedFieldIds.includes(id)),
    createAmountFilterField(),
  ];
}

/** Filter fields for unmatched payments. */
export const unmatchedPaymentFilterFields: readonly FilterField<UnmatchedItemFilters['payments']>[] = [
  createPaymentKindFilterField(),
  createDayRangeFilterField('paid', texts.payments.filters.paid),
  createAmountFilterField(),
];
