import type { BankAccount } from '../../../contract/index.ts';
import { lineFields } from '../../bank/fields.ts';
import type { FilterField } from '../../filters/fields.ts';
import { amountField, paidField, paymentKindField } from '../payments/filter.ts';
import type { HandFilters } from './filters.ts';

const inHand: readonly string[] = ['account', 'flow', 'booked'];

/** What open lines are narrowed by when matching by hand. */
export function handLineFields(accounts: readonly BankAccount[]): FilterField<HandFilters['lines']>[] {
  return [...lineFields(accounts).filter(({ id }) => inHand.includes(id)), amountField()];
}

/** What open payments are narrowed by. */
export const handPaymentFields: readonly FilterField<HandFilters['payments']>[] = [
  paymentKindField(),
  paidField(),
  amountField(),
];
