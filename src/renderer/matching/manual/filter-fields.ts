import type { BankAccount } from '../../../contract/index.ts';
import { bankLineFilterFields } from '../../bank/filter-fields.ts';
import type { FilterField } from '../../filters/filter-field.ts';
import { amountField, paidField, paymentKindField } from '../payments/payment-filter.ts';
import type { UnmatchedFilters } from './unmatched-filters.ts';

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
  paidField(),
  amountField(),
];
