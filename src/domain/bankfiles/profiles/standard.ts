import type { BankFileProfile } from '../model/profile.ts';

/**
 * Tieout's own format: header `date,amount,currency,description,reference`, ISO dates, decimal point, positive for money
 * received.
 */
export const standard: BankFileProfile = {
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
