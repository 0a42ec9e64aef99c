import { create } from 'zustand';
import type { BankAccount, BankLineFilter, PaymentFilter } from '../../../contract/index.ts';
import { bankLineFilterFields } from '../../bank/filter-fields.ts';
import { createDaysField, type FilterField } from '../../filters/filter-field.ts';
import { texts } from '../../texts/texts.ts';
import { amountField, paymentKindField } from '../payments/payment-filter.ts';

/** Filters of the bank lines and payments in manual matching. They are preserved when the user visits other screens. */
export interface UnmatchedFilters {
  readonly lines: Omit<BankLineFilter, 'state'>;
  readonly payments: Omit<PaymentFilter, 'state'>;
}

export const useUnmatchedFilters = create<UnmatchedFilters>(() => ({ lines: {}, payments: {} }));

export function setUnmatchedFilter<S extends keyof UnmatchedFilters>(
  side: S,
  filter: UnmatchedFilters[S],
): void {
  useUnmatchedFilters.setState({ [side]: filter });
}

/** Returns the filter, limited to items that are not fully matched. */
export function restrictToUnmatched<F extends object>(filter: F): F & { state: UnmatchedState[] } {
  return { ...filter, state: ['open', 'ambiguous', 'suggested', 'partial'] };
}

type UnmatchedState = 'open' | 'ambiguous' | 'suggested' | 'partial';

const usedFieldIds: readonly string[] = ['account', 'flow', 'booked'];

/** Returns the filter fields for unmatched bank lines. */
export function unmatchedLineFields(
  accounts: readonly BankAccount[],
): FilterField<UnmatchedFilters['lines']>[] {
  return [...bankLineFilterFields(accounts).filter(({ id }) => usedFieldIds.includes(id)), amountField()];
}

/** Filter fields for unmatched payments. */
export const unmatchedPaymentFields: readonly FilterField<UnmatchedFilters['payments']>[] = [
  paymentKindField(),
  createDaysField('paid', texts.payments.filters.paid),
  amountField(),
];
