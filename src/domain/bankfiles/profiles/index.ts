import type { Profile } from '../profile.ts';
import { adyen, authorizeNet, braintree, goCardless, square } from './others.ts';
import { paypalActivity, paypalBalance, paypalGerman, paypalSettlement } from './paypal.ts';
import { standard } from './standard.ts';
import { stripeBalance, stripeReport } from './stripe.ts';

/** The built-in profiles, the standard one first. */
export const builtInProfiles: readonly Profile[] = [
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
