import type { BankFileProfile } from '../model/profile.ts';
import { adyen, authorizeNet, braintree, goCardless, square } from './other-processors.ts';
import { paypalActivity, paypalBalance, paypalGerman, paypalSettlement } from './paypal.ts';
import { standard } from './standard.ts';
import { stripeBalance, stripeReport } from './stripe.ts';

/** The built-in profiles, the standard one first. */
export const builtInProfiles: readonly BankFileProfile[] = [
  standard,
  stripeReport,
  stripeBalance,
  paypalActivity,
  paypalBalance,
  paypalGerman,
  paypalSettlement,
  adyen,
  square,
  braintree,
  authorizeNet,
  goCardless,
];
