import type { BankFileProfile } from '../model/profile.ts';
import {
  adyenProfile,
  authorizeNetProfile,
  braintreeProfile,
  goCardlessProfile,
  squareProfile,
} from './other-processors.ts';
import {
  paypalActivityProfile,
  paypalBalanceProfile,
  paypalGermanProfile,
  paypalSettlementProfile,
} from './paypal.ts';
import { standardProfile } from './standard.ts';
import { stripeBalanceProfile, stripeReportProfile } from './stripe.ts';

/** Built-in profiles. The standard profile comes first. */
export const builtInProfiles: readonly BankFileProfile[] = [
  standardProfile,
  stripeReportProfile,
  stripeBalanceProfile,
  paypalActivityProfile,
  paypalBalanceProfile,
  paypalGermanProfile,
  paypalSettlementProfile,
  adyenProfile,
  squareProfile,
  braintreeProfile,
  authorizeNetProfile,
  goCardlessProfile,
];
