import type { BankFileProfile } from '../model/profile.ts';

/**
 * Tieout's own CSV format: header `date,amount,currency,description,reference`, ISO dates, a decimal point and positive
 * amounts for money received.
 */
export const standardProfile: BankFileProfile = {
  name: 'standard',
  label: 'Tieout standard',
  source: 'bank',
  recognized_by: ['date', 'amount', 'currency', 'description', 'reference'],
  columns: {
    booked_on: ['date'],
    amount: ['amount'],
    currency: ['currency'],
    description: ['description'],
    reference: ['reference'],
  },
  date_order: 'ymd',
  decimal_mark: '.',
  idle_statuses: [],
};
