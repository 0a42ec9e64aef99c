import type { PlantedErrorKind } from '../../src/sandbox/index.ts';

/** Maps each error that the sandbox can plant to the rule that must report it. */
export const ruleByPlantedError: Record<PlantedErrorKind, string> = {
  arithmetic: 'statement-foots',
  running_balance: 'running-balances',
  continuity: 'balance-carried-forward',
  gap: 'period-gap',
  overlap: 'period-overlap',
  missing_statement: 'period-gap',
  duplicate_payment: 'duplicate-payment',
  failed_counts: 'failed-payment-counted',
  settled_unpaid: 'settled-without-payment',
  allocation_chain: 'allocation-chain',
  missing_proration: 'allocation-without-proration',
  lost_webhook: 'payment-without-webhook',
  unsent_webhook: 'webhook-not-accepted',
  duplicate_webhook: 'duplicate-webhook',
};
