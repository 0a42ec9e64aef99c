import type { BankFileProfile } from '../model/profile.ts';
import { bankProfiles } from './banks.ts';
import { otherProcessorProfiles } from './other-processors.ts';
import { paypalProfiles } from './paypal.ts';
import { stripeProfiles } from './stripe.ts';

/** Tieout's own CSV format: ISO dates, a decimal point and positive amounts for money received. */
const standardProfile: BankFileProfile = {
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
    counterparty: ['counterparty', 'counterparty name', 'payee', 'payer', 'name'],
  },
  date_order: 'ymd',
  decimal_mark: '.',
  idle_statuses: [],
};

/** Built-in profiles. The standard profile comes first. */
export const builtInBankProfiles = [
  standardProfile,
  ...stripeProfiles,
  ...paypalProfiles,
  ...otherProcessorProfiles,
  ...bankProfiles,
];
